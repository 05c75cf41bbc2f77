# The built page on a plain static server:
#
#   make build
#   docker build -t assay .
#   docker run --rm -p 8080:80 assay
FROM nginx:1-alpine
COPY dist/ /usr/share/nginx/html/
# the headers that the build names for every file; what is packed; and that a browser asks about what
# it keeps, so that a new build is seen at once
RUN sed -n 's/^  \([A-Za-z-]*\): \(.*\)$/add_header \1 "\2" always;/p' /usr/share/nginx/html/_headers >/etc/nginx/conf.d/assay.conf
RUN printf '%s\n' 'add_header Cache-Control no-cache always;' 'gzip on;' \
        'gzip_types application/wasm application/json text/css text/javascript application/javascript image/svg+xml;' \
        >>/etc/nginx/conf.d/assay.conf \
    && rm /usr/share/nginx/html/_headers \
    && nginx -t
