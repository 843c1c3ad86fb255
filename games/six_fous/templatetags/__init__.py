"""Template tags of Six fous."""
