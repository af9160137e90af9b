# A tag can be moved. For one certain image, give its digest.
ARG NODE_IMAGE=node:24-slim
FROM ${NODE_IMAGE} AS built
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci && npm cache clean --force
COPY web web
COPY server/work/service-forms/rules.ts server/work/service-forms/
RUN npm run pages && npm prune --omit=dev && rm -rf node_modules/.cache node_modules/bawaba-client

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY package.json .npmrc ./
COPY --from=built /app/node_modules node_modules
COPY server server
COPY web/addresses.ts web/
COPY web/desk-addresses.ts web/
COPY --from=built /app/web/dist web/dist
# Which build this is, as `GET /system/version` tells it.
ARG BUILD=source
RUN echo "$BUILD" > BUILD
RUN mkdir -p /data node_modules/.cache && chown node:node /data node_modules/.cache
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/api/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["npm", "start"]
