"""Drawn boards: `themes` draws cells, `board_images` draws boards, and `camera` changes their pictures.

`theme_choice` combines a random theme from fills and edges (`surfaces`, `textures`), letters (`letters`,
`fonts`), signs (`signs`, `icons`), landscapes (`landscapes`) and other drawings (`distractors`).
"""
