"""The pure kit every game is written with: rules interface, chance, cards, ladders, codec, record. No Django, no clock."""
