# The whole product in one image: the server's bundle and the browser application, nothing else.
FROM node:24-bookworm-slim AS build
WORKDIR /src
RUN npm install --global pnpm@12
# Packages first: this layer changes only with the lockfile.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches patches
RUN pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --offline
RUN node scripts/build.ts

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=build /src/apps/server/package.json apps/server/package.json
COPY --from=build /src/apps/server/dist apps/server/dist
COPY --from=build /src/apps/web/dist apps/web/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# A small young generation: the server keeps little for long, and 16 MiB (the default) of it per thread stay resident.
CMD ["node", "--max-semi-space-size=4", "apps/server/dist/main.js"]
