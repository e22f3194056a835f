# syntax=docker/dockerfile:1
FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Optional packages are the binaries of the embedded PostgreSQL, which DATABASE_URL makes needless.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json openapi.yaml ./
COPY generated generated
COPY src src
RUN ln -s /app/src/cli/animal-store.ts /usr/local/bin/animal-store
USER node
EXPOSE 3000
# Alive, not ready: a database that is away is no reason to restart the service.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["animal-store"]
CMD ["serve"]
