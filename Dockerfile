# epicene in an image of its own. The same image serves CPU and GPU: the program finds CUDA's libraries at run time.
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
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# The program is copied out of target, which may be a mounted cache.
RUN cargo build --profile dist --locked -p epicene \
    && cp target/dist/epicene /usr/local/bin/epicene \
    && epicene --version \
    && python3 tools/release.py notices > THIRD-PARTY-NOTICES.txt

FROM ${BASE}
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/epicene /usr/local/bin/epicene
COPY --from=build /src/THIRD-PARTY-NOTICES.txt /usr/share/doc/epicene/
COPY LICENSE-MIT LICENSE-APACHE DATA-LICENCES.md /usr/share/doc/epicene/
# Nothing here needs root. Runs, caches and downloads go into the mounted directory.
RUN useradd --create-home --no-log-init --uid 1000 epicene && mkdir /work && chown epicene /work
USER 1000
WORKDIR /work
ENTRYPOINT ["epicene"]
CMD ["--help"]
