import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastify, { type FastifyInstance } from 'fastify';
import type { Contract } from '../contract/contract.ts';
import { entries, items, type JsonObject, member } from '../contract/document.ts';
import { guide } from './docsGuide.ts';

/** The page at `/docs`, from the package's own assets: a server that does not listen. */
export async function buildDocsPage(contract: Contract): Promise<FastifyInstance> {
  const document = guide(contract);
  const page = fastify();
  // What a browser may load, and where a key may go: here, and to the servers that the document names.
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': ["'self'", ...serverOrigins(contract.document.root)],
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  page.addHook('onSend', (_request, reply, body, done) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    const isPage = typeof body === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
    done(
      null,
      isPage
        ? body.replace('<head>', '<head><meta name="viewport" content="width=device-width, initial-scale=1">')
        : body,
    );
  });
  await page.register(swagger, {
    mode: 'static',
    specification: { document: document as object as StaticDocumentSpec['document'] },
  });
  await page.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: policy,
    theme: {
      title: String(member(member(document, 'info'), 'title'))
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;'),
      css: [{ filename: 'page.css', content: style }],
      favicon: [{ filename: 'favicon.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: paw }],
    },
    uiConfig: {
      layout: 'BaseLayout',
      tryItOutEnabled: true,
      displayRequestDuration: true,
      showExtensions: true,
      showCommonExtensions: true,
      plugins: [exactNumbers],
    },
  });
  await page.ready();
  return page;
}

/** The origins of the document's servers, their variables at their defaults. */
function serverOrigins(root: JsonObject): string[] {
  return items(member(root, 'servers'))
    .map((server) =>
      entries(member(server, 'variables')).reduce(
        (url, [name, variable]) => url.replaceAll(`{${name}}`, String(member(variable, 'default'))),
        String(member(server, 'url')),
      ),
    )
    .flatMap((url) => (URL.canParse(url) ? [new URL(url).origin] : []));
}

/** What `exactNumbers` uses of Swagger UI. */
interface SwaggerUiSystem {
  readonly React: { createElement(type: unknown, props: object, ...children: unknown[]): unknown };
  getComponent(name: string, container: boolean): unknown;
}

/**
 * A plugin of Swagger UI, which runs in the browser: it is printed into the page's script, so it refers to nothing
 * outside of itself. Swagger UI lays out a JSON response by parsing it, and JavaScript's numbers round an int64 past
 * 2^53; this lays out the text.
 */
function exactNumbers() {
  const layOut = (json: string): string => {
    let line = '\n';
    return json.replace(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g, (token) => {
      if (token.startsWith('"')) return token;
      if (/^\s/.test(token)) return '';
      if (token.length > 1) return token.replaceAll(/\s/g, '');
      if (token === ':') return ': ';
      if (token === ',') return token + line;
      if (token === '{' || token === '[') {
        line += '  ';
        return token + line;
      }
      line = line.slice(0, -2);
      return line + token;
    });
  };
  return {
    wrapComponents: {
      responseBody:
        (original: unknown, { React, getComponent }: SwaggerUiSystem) =>
        (props: { content: unknown; contentType?: string }) =>
          typeof props.content === 'string' && /json/i.test(props.contentType ?? '')
            ? React.createElement(
                getComponent('HighlightCode', true),
                { language: 'json', downloadable: true, fileName: 'response.json', canCopy: true },
                layOut(props.content),
              )
            : React.createElement(original, props),
    },
  };
}

const style = `
.swagger-ui .wrapper { max-width: 1100px; }
.swagger-ui .info { margin: 40px 0 24px; }
.swagger-ui .info hgroup.main > a { display: none; }
.swagger-ui .info h2 { font-size: 20px; margin: 28px 0 8px; }
.swagger-ui .info p, .swagger-ui .info li { line-height: 1.5; }
.swagger-ui .info table { display: block; width: fit-content; max-width: 100%; overflow-x: auto; margin: 8px 0 16px; border-collapse: collapse; }
.swagger-ui .info table tr :is(th, td):nth-child(n) { width: auto; max-width: none; padding: 6px 24px 6px 0; border-bottom: 1px solid #e2e5ea; font-size: 14px; line-height: 1.5; text-align: left; vertical-align: top; }
.swagger-ui .info code, .swagger-ui .renderedMarkdown code { padding: 1px 4px; color: #1f5f3b; background: #edf3ef; font-weight: 400; }
.swagger-ui .opblock.opblock-deprecated { opacity: 1; }
.swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #7d8492; }
`;

const paw = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#2f7d4f"><ellipse cx="6" cy="14" rx="3.4" ry="4.6"/><ellipse cx="12.5" cy="7.5" rx="3.4" ry="4.8"/><ellipse cx="19.5" cy="7.5" rx="3.4" ry="4.8"/><ellipse cx="26" cy="14" rx="3.4" ry="4.6"/><path d="M16 14c5 0 9 6 9 10 0 3-2 4.500-4.500 4.500-2 0-3-1-4.500-1s-2.500 1-4.500 1C9 28.500 7 27 7 24c0-4 4-10 9-10z"/></svg>`;
