# The image of a release: make release, then docker build --tag fakenode . The binary is static, so nothing else is needed.
FROM scratch
ARG TARGETARCH=amd64
COPY dist/bin/linux-${TARGETARCH}/fakenode /fakenode
COPY LICENSE /LICENSE
USER 65532:65532
ENV FAKENODE_HOST=0.0.0.0
EXPOSE 8545
HEALTHCHECK --interval=1s --timeout=5s --start-period=10s --retries=5 CMD ["/fakenode", "--health", "http://127.0.0.1:8545"]
ENTRYPOINT ["/fakenode"]
