"""How the evaluation is learned: games, values of their positions, weights, reports.

The rooms need the extra ``train`` (NumPy, Matplotlib); ``import reversi`` loads none of them.
`docs/training.md` describes the folder that they share and a whole run.
"""
