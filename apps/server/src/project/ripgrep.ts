import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { parseJson } from '../common/parse-json.ts'
import type { EngineResult, EngineSearch, FoundLine, SearchEngine } from './search-engine.ts'

const Event = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('match'),
    data: z.object({ path: z.object({ text: z.string() }), line_number: z.number() }),
  }),
  z.object({ type: z.literal('end'), data: z.object({ binary_offset: z.number().nullable() }) }),
])

// No configuration and no ignore rules of ripgrep: the files are selected before. They are searched in the given order.
const options = [
  '--no-config',
  '--json',
  '--crlf',
  '--no-mmap',
  '--no-ignore',
  '--threads=1',
  '--encoding=none',
  '--no-messages',
  '--regex-size-limit=10M',
  '--dfa-size-limit=10M',
]
// Far below the limit of operating systems for arguments.
const mostArgumentCharacters = 64 * 1024
const mostOutputBytes = 64 * 1024 * 1024

/**
 * The path of the program: next to the built server, else of its package, else of the system. Folders of the `PATH`
 * inside the project are skipped: no file of the project is executed.
 */
export async function findRipgrep(project: string): Promise<string | undefined> {
  const built = fileURLToPath(new URL('./rg', import.meta.url))
  if (existsSync(built)) return built
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch {
    const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
    const outside = folders.filter((folder) => !`${folder}${sep}`.startsWith(`${project}${sep}`))
    return outside.map((folder) => join(folder, 'rg')).find((program) => existsSync(program))
  }
}

/** Creates an engine that runs ripgrep at this path, if there is one. */
export function createRipgrep(path: Promise<string | undefined>): SearchEngine {
  return async (search, signal) => {
    const program = await path
    const pattern = toRipgrepPattern(search.pattern)
    if (pattern === undefined || program === undefined) return undefined
    const deadline = performance.now() + search.ms
    const result: EngineResult = { lines: [], isWhole: true }
    for (const files of inChunks(search.files)) {
      const left = {
        ...search,
        files,
        pattern,
        most: search.most - result.lines.length,
        ms: deadline - performance.now(),
      }
      if (left.most <= 0 || left.ms <= 0 || signal.aborted) return { ...result, isWhole: false }
      const found = await run(program, left, signal)
      if (found === undefined) return undefined
      result.lines.push(...found.lines)
      result.isWhole &&= found.isWhole
    }
    return result
  }
}

function* inChunks(files: readonly string[]): Generator<string[]> {
  let chunk: string[] = []
  let length = 0
  for (const file of files) {
    if (length + file.length > mostArgumentCharacters && chunk.length > 0) {
      yield chunk
      chunk = []
      length = 0
    }
    chunk.push(file)
    length += file.length + 1
  }
  if (chunk.length > 0) yield chunk
}

/** `undefined` if the program can't be started or refuses the pattern. */
async function run(
  program: string,
  { directory, files, pattern, most, ms }: EngineSearch,
  signal: AbortSignal,
): Promise<EngineResult | undefined> {
  const paths = files.map((file) => `./${file}`)
  // Without a shell and without the server's environment, which contains keys.
  const child = spawn(program, [...options, '--regexp', pattern, '--', ...paths], {
    cwd: directory,
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<number | undefined>((resolve) => {
    child.once('error', () => resolve(undefined))
    child.once('close', (code) => resolve(code ?? 0))
  })
  let isWhole = true
  const stop = (): void => {
    isWhole = false
    child.kill('SIGKILL')
  }
  const timer = setTimeout(stop, ms)
  signal.addEventListener('abort', stop)
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > mostOutputBytes) stop()
  })
  try {
    const lines = await readEvents(child.stdout, most, stop)
    const code = await ended
    // Code 1 means no match, 2 an error; an error without output is one of the pattern.
    return code === undefined || (code === 2 && bytes === 0) ? undefined : { lines, isWhole }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

async function readEvents(output: NodeJS.ReadableStream, most: number, stop: () => void): Promise<FoundLine[]> {
  const lines: FoundLine[] = []
  let ofFile: FoundLine[] = []
  for await (const line of createInterface({ input: output, crlfDelay: Infinity })) {
    // The last line of a process that was stopped may be no JSON.
    const event = Event.safeParse(parseJson(line))
    if (!event.success) continue
    const { type, data } = event.data
    if (type === 'match') ofFile.push({ path: data.path.text.replace(/^\.\//, ''), line: data.line_number })
    else {
      // Matches in a binary file don't count.
      if (data.binary_offset === null) lines.push(...ofFile)
      ofFile = []
    }
    if (lines.length + ofFile.length < most) continue
    stop()
    break
  }
  return [...lines, ...ofFile].slice(0, most)
}

const classes: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_', s: String.raw`\t\n\f\r ` }

/**
 * The pattern for ripgrep that finds the same lines as this RE2 pattern; `undefined` if that isn't certain. The
 * dialects differ in classes such as `\w`, which are ASCII in RE2, and in operators inside of brackets.
 */
export function toRipgrepPattern(pattern: string): string | undefined {
  let result = ''
  let isInside = false
  for (let at = 0; at < pattern.length;) {
    const next = isInside ? readInside(pattern, at) : readOutside(pattern, at)
    if (next === undefined) return undefined
    const [length, text] = next
    if (text.startsWith('[') && length <= 2 && pattern[at] === '[') isInside = true
    if (pattern[at] === ']') isInside = false
    result += text
    at += length
  }
  return isInside ? undefined : result
}

type Read = [length: number, text: string] | undefined

function readOutside(pattern: string, at: number): Read {
  const rest = pattern.slice(at)
  const char = pattern[at] ?? ''
  if (char === '\\') return readEscape(rest)
  if (char === '[') return readOpening(rest)
  if (char === '{') return /^\{\d+(,\d*)?\}/.test(rest) ? [1, '{'] : [1, String.raw`\{`]
  if (rest.startsWith('(?') && !/^\(\?(:|i\))/.test(rest)) return undefined
  return [1, char]
}

function readOpening(rest: string): Read {
  const opening = rest.startsWith('[^') ? '[^' : '['
  // A bracket at the beginning of a class is one of its characters.
  return rest[opening.length] === ']' ? undefined : [opening.length, opening]
}

function readInside(pattern: string, at: number): Read {
  const rest = pattern.slice(at)
  if (/^(?:\[|&&|--|~~)/.test(rest)) return undefined
  if (!rest.startsWith('\\')) return [1, rest.slice(0, 1)]
  const known = classes[rest[1] ?? '']
  return known === undefined ? readLiteral(rest) : [2, known]
}

function readEscape(rest: string): Read {
  const char = rest[1] ?? ''
  const known = classes[char.toLowerCase()]
  if (known !== undefined) return [2, char === char.toLowerCase() ? `[${known}]` : `[^${known}]`]
  return char === 'b' ? [2, String.raw`(?-u:\b)`] : readLiteral(rest)
}

function readLiteral(rest: string): Read {
  const char = rest[1] ?? ''
  // In ripgrep these two escapes are word boundaries.
  if (char === '<' || char === '>') return [2, char]
  return /^[!-/:-@[-`{-~trf]$/.test(char) ? [2, `\\${char}`] : undefined
}
