"""What the browser asks of the games: `lobby` before a match, `table` at it, `invitations` for the link of a hidden one."""
