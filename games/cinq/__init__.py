"""Cinq, classique and piégeur."""
