# syntax=docker/dockerfile:1
# epicene in an image of its own. The same image serves CPU and GPU: the binary finds CUDA's libraries at run time.
#
#   docker build -t epicene .
#   docker run --rm epicene demo
#   docker run --rm -v "$PWD:/work" epicene run gest --model dir:checkpoint
#
# For a GPU, build on an image that carries cuBLAS and NVRTC of CUDA 13, with a glibc no older than Debian 12's:
#   docker build -t epicene:cuda --build-arg BASE=nvidia/cuda:13.0.1-runtime-ubuntu24.04 .
#   docker run --rm --gpus all -v "$PWD:/work" epicene:cuda run gest --model dir:checkpoint
ARG RUST=1.95
ARG BASE=debian:bookworm-slim

FROM rust:${RUST}-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked -p epicene \
    && target/release/epicene --version

FROM ${BASE}
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /src/target/release/epicene /usr/local/bin/epicene
COPY LICENSE-MIT LICENSE-APACHE DATA-LICENCES.md /usr/share/doc/epicene/
# Nothing here needs root. Runs, caches and downloads go into the mounted directory.
RUN useradd --create-home --no-log-init --uid 1000 epicene && mkdir /work && chown epicene /work
USER 1000
WORKDIR /work
ENTRYPOINT ["epicene"]
CMD ["--help"]
