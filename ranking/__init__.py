"""What you earned: XP ledger, standings, leaderboards, and the profile page that shows it."""
