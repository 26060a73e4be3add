import { always, type HostileInput, request } from '../hostile-input.ts'
import { limits } from '../limits.ts'

// What takes too long or is nested too deeply may be refused; what is plain must be taken.
const refused = [201, 400, 413, 503]

const create = (
  name: string,
  ci: number,
  full: number,
  expect: HostileInput['expect'],
  make: (size: number) => string,
): HostileInput => ({
  name,
  limit: `${limits.bodyBytes} bytes of a body`,
  scale: { ci, full },
  build: (size) => [request('POST', '/api/documents', { markdown: make(size) })],
  expect,
})

/** Documents that are made from markdown. */
export const markdown: readonly HostileInput[] = [
  create('plain paragraphs', 500, 50_000, 201, (size) => 'A plain paragraph of a long document.\n\n'.repeat(size)),
  create('a body that is larger than it may be', limits.bodyBytes, limits.bodyBytes, 413, (size) => 'x'.repeat(size)),
  create('quotes inside of quotes', 5000, 500_000, refused, (size) => `${'>'.repeat(size)} x`),
  create('lists inside of lists', 500, 2000, refused, (size) =>
    Array.from({ length: size }, (_, index) => `${'  '.repeat(index)}- x`).join('\n'),
  ),
  create('brackets that open', 20_000, 1_000_000, refused, (size) => '['.repeat(size)),
  create('links inside of links', 5000, 200_000, refused, (size) => `${'[a]('.repeat(size)}`),
  create('stars that never close', 20_000, 1_000_000, refused, (size) => '*a_ '.repeat(size)),
  create('backticks of every length', 500, 3000, refused, (size) =>
    Array.from({ length: size }, (_, index) => `e${'`'.repeat(index)}`).join(''),
  ),
  create(
    'a wide table',
    500,
    20_000,
    refused,
    (size) => `${'|a'.repeat(size)}|\n${'|-'.repeat(size)}|\n${'|x'.repeat(size)}|`,
  ),
  create(
    'a table whose rows are shorter than its head',
    300,
    3000,
    refused,
    (size) => `${'|a'.repeat(size)}|\n${'|-'.repeat(size)}|\n${'|x|\n'.repeat(size)}`,
  ),
  create('definitions of links that refer to each other', 1000, 50_000, refused, (size) =>
    Array.from({ length: size }, (_, index) => `[a${index}]: b${index}\n[a${index}]`).join('\n'),
  ),
  create('formulas', 1000, 100_000, refused, (size) => '$x$ $$ '.repeat(size)),
  {
    name: 'a title that is a character too long',
    limit: `a title of ${limits.titleCharacters} characters`,
    scale: always(limits.titleCharacters + 1),
    build: (size) => [request('POST', '/api/documents', { title: 'x'.repeat(size) })],
    expect: 400,
  },
]
