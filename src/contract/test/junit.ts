import { failureText, type Report, stateOf } from './report.ts';

/** The report as JUnit XML, as CI systems read it: an operation is a suite, a check a test case. */
export function junitReport({ groups, url, passed, failed, notSent, document }: Report): string {
  const suites = groups.map(({ name, outcomes }) => {
    const count = (state: string) => outcomes.filter((outcome) => stateOf(outcome) === state).length;
    const seconds = outcomes.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
    const cases = outcomes.map((outcome) => {
      const attributes = { classname: name, name: outcome.case.name, time: (outcome.milliseconds / 1000).toFixed(3) };
      const state = stateOf(outcome);
      if (state === 'passed') return `    ${element('testcase', attributes)}\n`;
      const inner =
        state === 'failed'
          ? element(
              'failure',
              { message: outcome.problems.map(({ found }) => found).join('; ') },
              escapeXml(failureText(outcome, url)),
            )
          : element('skipped', { message: outcome.notSent ?? '' });
      return `    ${element('testcase', attributes, `\n      ${inner}\n    `)}\n`;
    });
    const attributes = {
      name,
      tests: outcomes.length,
      failures: count('failed'),
      errors: 0,
      skipped: count('not sent'),
      time: seconds.toFixed(3),
    };
    return `  ${element('testsuite', attributes, `\n${cases.join('')}  `)}\n`;
  });
  const all = {
    name: `${document.title} ${document.version} at ${url}`,
    tests: passed + failed + notSent,
    failures: failed,
    errors: 0,
    skipped: notSent,
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, `\n${suites.join('')}`)}\n`;
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, inner?: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return inner === undefined ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inner}</${name}>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Text as XML 1.0 holds it; what it cannot hold at all, such as U+0000, is named. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"'\t\n\r]/g, (one) => entities[one] ?? one)
    .replaceAll(
      /[^\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
      (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
    );
}
