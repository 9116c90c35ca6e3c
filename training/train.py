"""Train one of the two models on the token streams that data.py wrote.

    python train.py mlm --data DATA --out OUT --epochs 36 --lr 4e-3

Windows of 256 tokens from the stream, cut anew and shuffled in every epoch. In half of them each paragraph sees only
itself, in the other half the text runs on. Masked model: 30 % of the tokens masked, 15 % in the last part. Muon for
the matrices, AdamW for the rest, warm-up and linear decay to zero, bf16 autocast. OUT receives `loss_KIND.tsv`,
`summary_KIND.json` and the float32 weights as `KIND-N.npz`.
"""

import argparse
import json
import lzma
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from export import weights
from models import MODELS, POSITIONS

BOS, MASK, SPECIAL = 0, 4, 5  # ids below SPECIAL are special tokens
CUDA = torch.cuda.is_available()
DEV = "cuda" if CUDA else "cpu"


def load(path):
    with lzma.open(path) as f:
        return torch.from_numpy(np.frombuffer(f.read(), dtype="<u2").astype(np.int32)).to(DEV)


def layout(ids, isolated, causal):
    """Positions and attention mask; in isolated rows both start anew at every `<s>`."""
    n = ids.shape[1]
    at = torch.arange(n, device=ids.device).expand_as(ids)
    start = torch.where((ids == BOS) & isolated[:, None], at, 0).cummax(1).values
    mask = start[:, :, None] == start[:, None, :]
    if causal:
        mask = mask & torch.ones(n, n, dtype=torch.bool, device=ids.device).tril()
    return at - start, mask[:, None]


def pick(ids, rate, gen):
    """Flat indices of round(rate * width) random ordinary tokens a row."""
    noise = torch.rand(ids.shape, device=ids.device, generator=gen).masked_fill(ids < SPECIAL, -1.0)
    cols = noise.topk(round(rate * ids.shape[1]), dim=1).indices
    rows = torch.arange(len(ids), device=ids.device)[:, None] * ids.shape[1]
    return (rows + cols).flatten()


class Muon:
    """Momentum orthogonalised by Newton-Schulz iterations (Jordan 2024), one batch for all matrices of a shape."""

    def __init__(self, params, decay):
        groups = {}
        for p in params:
            groups.setdefault(tuple(p.shape), []).append(p)
        self.groups = [(g, torch.zeros(len(g), *shape, device=DEV)) for shape, g in groups.items()]
        self.decay = decay

    @staticmethod
    def orthogonal(x):
        wide = x.shape[-2] <= x.shape[-1]
        x = x if wide else x.mT
        x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
        for _ in range(5):
            a = x @ x.mT
            x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
        return x if wide else x.mT

    @torch.no_grad()
    def step(self, lr):
        for params, momentum in self.groups:
            grad = torch.stack([p.grad for p in params])
            momentum.lerp_(grad, 0.05)
            update = self.orthogonal(grad.lerp(momentum, 0.95).bfloat16())
            scale = 0.2 * max(update.shape[-2:]) ** 0.5  # root mean square as AdamW's
            torch._foreach_mul_(params, 1 - lr * self.decay)
            torch._foreach_add_(params, list((update * (-lr * scale)).float().unbind()))


def train(kind, data, out, epochs, lr, batch, seed, decay, optimiser, max_steps, init):
    started = time.time()
    torch.manual_seed(seed)
    torch.set_float32_matmul_precision("high")
    gen = torch.Generator(DEV).manual_seed(seed)
    # Second phase: shuffled paragraphs, so every one sees only itself, and the low masking rate throughout.
    name, alone, low_rate_from = ("speakers", 1.0, 0.0) if init else ("train", 0.5, 0.6)
    stream, held = load(data / f"{name}.u16.xz"), load(data / "heldout.u16.xz")
    held = held[: len(held) // POSITIONS * POSITIONS].view(-1, POSITIONS)
    causal = kind == "clm"
    model = MODELS[kind]()
    if init:
        model.load_state_dict({k: torch.from_numpy(v) for k, v in weights(kind, init).items()})
    model = model.to(DEV)
    n_params = sum(p.numel() for p in model.parameters())
    if CUDA:
        torch._dynamo.config.cache_size_limit = 64
        for layer in model.layers():
            layer.compile(dynamic=False)

    def head_loss(h, y):
        logits = model.logits(h).float()
        loss = F.cross_entropy(logits, y, reduction="none", ignore_index=BOS)
        return loss.sum() / (y != BOS).sum(), loss, logits.argmax(-1) == y

    compiled = torch.compile(head_loss, dynamic=False) if CUDA else head_loss

    def forward(ids, isolated, rate, rng, head):
        ids = ids.long()
        pos, mask = layout(ids, isolated, causal)
        with torch.autocast(DEV, torch.bfloat16, enabled=CUDA):
            if causal:
                # `<s>` as target (of every `</s>`) is left out.
                y = torch.cat((ids[:, 1:], ids.new_full((len(ids), 1), BOS)), 1).flatten()
                return head(model(ids, pos, mask).flatten(0, 1), y)
            at = pick(ids, rate, rng)
            y = ids.flatten()[at]
            x = ids.flatten().index_fill(0, at, MASK).view_as(ids)
            return head(model(x, pos, mask).flatten(0, 1)[at], y)

    @torch.no_grad()
    def evaluate(rounds=1):
        total = torch.zeros(3, device=DEV, dtype=torch.float64)
        rng = torch.Generator(DEV).manual_seed(7)
        for _ in range(rounds):
            for ids in held.split(64):
                isolated = torch.ones(len(ids), dtype=torch.bool, device=DEV)
                _, loss, hit = forward(ids, isolated, 0.15, rng, head_loss)
                live = loss != 0
                total += torch.stack([loss.sum().double(), (hit & live).sum().double(), live.sum().double()])
        loss, hits, n = total.tolist()
        return loss / n, hits / n

    muon_params = [p for p in model.layers().parameters() if p.ndim == 2] if optimiser == "muon" else []
    chosen = {id(p) for p in muon_params}
    rest = [p for p in model.parameters() if id(p) not in chosen]
    adam = torch.optim.AdamW(
        [
            {"params": [p for p in rest if p.ndim > 1], "weight_decay": decay},
            {"params": [p for p in rest if p.ndim == 1], "weight_decay": 0.0},
        ],
        betas=(0.9, 0.98),
        eps=1e-8,
        fused=CUDA,
    )
    muon = Muon(muon_params, decay)

    per_epoch = (len(stream) - POSITIONS) // POSITIONS // batch
    steps = max_steps or epochs * per_epoch
    warm = max(1, min(500, steps // 10))
    curve, running, seen = [], torch.zeros((), device=DEV), 0
    for step in range(steps):
        if step % per_epoch == 0:
            shift = torch.randint(POSITIONS, (), device=DEV, generator=gen).item()
            n = (len(stream) - shift) // POSITIONS
            windows = stream[shift : shift + n * POSITIONS].view(n, POSITIONS)
            order = torch.randperm(n, device=DEV, generator=gen)
        now = lr * min((step + 1) / warm, (steps - step) / max(1, steps - warm))
        rate = 0.30 if step < low_rate_from * steps else 0.15
        at = step % per_epoch * batch
        isolated = torch.rand(batch, device=DEV, generator=gen) < alone
        loss, _, _ = forward(windows[order[at : at + batch]], isolated, rate, gen, compiled)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=True)
        for group in adam.param_groups:
            group["lr"] = now
        adam.step()
        muon.step(now)
        model.zero_grad(set_to_none=True)
        running += loss.detach()
        seen += 1
        if (step + 1) % max(100, steps // 60) == 0 or step + 1 == steps:
            held_loss, acc = evaluate()
            mean, spent = (running / seen).item(), time.time() - started
            row = (step + 1, (step + 1) / per_epoch, now, mean, held_loss, acc, spent)
            curve.append("{}\t{:.2f}\t{:.2e}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.1f}".format(*row))
            print(kind, curve[-1], flush=True)
            running.zero_()
            seen = 0
    loss, acc = evaluate(rounds=1 if causal else 8)
    summary = {
        "kind": kind,
        "parameters": n_params,
        "heldout_loss": round(loss, 4),
        "heldout_perplexity": round(float(np.exp(loss)), 3),
        "heldout_accuracy": round(acc, 4),
        "epochs": round(steps / per_epoch, 2),
        "steps": steps,
        "tokens_per_step": batch * POSITIONS,
        "peak_rate": lr,
        "weight_decay": decay,
        "seed": seed,
        "optimiser": optimiser,
        "seconds": round(time.time() - started, 1),
    }
    print(json.dumps(summary), flush=True)
    if out:
        save(kind, model, curve, summary, out)


def save(kind, model, curve, summary, out):
    out.mkdir(parents=True, exist_ok=True)
    header = "step\tepoch\trate\ttrain_loss\theldout_loss\theldout_accuracy\tseconds"
    (out / f"loss_{kind}.tsv").write_text("\n".join([header, *curve]) + "\n")
    (out / f"summary_{kind}.json").write_text(json.dumps(summary, indent=2) + "\n")
    weights = [(k, v.detach().float().cpu().numpy()) for k, v in model.state_dict().items()]
    # The vocabulary matrix is cut in two so that every part stays small.
    weights = [(f"{k}|{i}", part) for k, v in weights for i, part in enumerate(np.array_split(v, 2))]
    parts, size = [{}], 0
    for name, v in weights:
        if size + v.nbytes > 13_000_000:
            parts.append({})
            size = 0
        parts[-1][name] = v
        size += v.nbytes
    for i, part in enumerate(parts):
        np.savez(out / f"{kind}-{i}.npz", **part)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("kind", choices=MODELS)
    p.add_argument("--data", type=Path, required=True)
    p.add_argument("--out", type=Path)
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--batch", type=int, default=256, help="windows a step")
    p.add_argument("--decay", type=float, default=0.1)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--optimiser", choices=["muon", "adamw"], default="muon")
    p.add_argument("--max-steps", type=int)
    p.add_argument("--init", type=Path, help="weights to go on from, on the stream `speakers`")
    train(**vars(p.parse_args()))


if __name__ == "__main__":
    main()
