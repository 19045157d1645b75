# docker build --tag fakenode . in a checkout compiles the binary, which is static, so the image needs nothing else.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETARCH
ARG VERSION=v0.0.0-devel
ENV GOCACHE=/go/build CGO_ENABLED=0
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/go/build \
    make binaries VERSION="$VERSION" PLATFORM="linux-${TARGETARCH:-$(go env GOARCH)}" && mv dist/bin/*/fakenode fakenode

FROM scratch
COPY --from=build /src/fakenode /src/LICENSE /
USER 65532:65532
ENV FAKENODE_HOST=0.0.0.0
EXPOSE 8545
HEALTHCHECK --interval=1s --timeout=5s --start-period=10s --retries=5 CMD ["/fakenode", "health", "http://127.0.0.1:8545"]
ENTRYPOINT ["/fakenode"]
