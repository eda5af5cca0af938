# The panel as an image (docs/operating.md, 'In a container'): a release as `npm run package` makes it, on Node's own image.
# The last stage runs tunnels, as root; `panel` has none and runs as a user of its own.
ARG NODE=node:22-trixie-slim

FROM ${NODE} AS release
# Where the build reaches no registry of npm: another, as --build-arg.
ARG NPM_CONFIG_REGISTRY
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm \
    npm run package && mkdir /release && tar -xf dist/krug-*.tar.gz -C /release --strip-components=1

FROM ${NODE} AS panel
# tini ends what the panel leaves behind, and passes a stop on.
RUN apt-get -q update && apt-get -q install --yes --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
COPY --from=release /release /opt/krug
RUN printf '#!/bin/sh\nexec node /opt/krug/apps/server/dist/cli.js "$@"\n' > /usr/local/bin/krug \
    && chmod 755 /usr/local/bin/krug \
    && install -d -m 700 -o node -g node /var/lib/krug /var/backups/krug
WORKDIR /opt/krug
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3001 DATA_DIR=/var/lib/krug LOCAL_SERVER=off
EXPOSE 3001
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "apps/server/dist/main.js"]
USER node

FROM panel AS panel-with-tunnels
# Root without its capabilities reads and writes only what is its own.
USER root
RUN apt-get -q update \
    && apt-get -q install --yes --no-install-recommends wireguard-tools nftables iproute2 dnsmasq-base \
    && rm -rf /var/lib/apt/lists/* \
    && chown root:root /var/lib/krug /var/backups/krug
# The machine whose tunnels these are is the container, so what it remembers goes with it.
ENV LOCAL_SERVER=auto MACHINE_DIR=/run/krug-machine
