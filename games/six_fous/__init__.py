"""Six fous: ladders from the six, jumping, a point for every card placed."""
