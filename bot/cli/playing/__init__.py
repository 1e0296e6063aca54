"""Commands that look at a screen: play, advise, read, learn, skins, doctor."""
