import { RE2JS } from 're2js'

const wildcards: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }

/**
 * Returns a function that tests whether a path has a name that matches the pattern, case-insensitive: `*` and `?` match
 * characters within a name, `**` any folders. A pattern with a slash is compared with the whole path. Runs in linear
 * time.
 */
export function createNamePattern(pattern: string): (path: string) => boolean {
  const wanted = pattern.normalize('NFC').replace(/^\.?\//, '')
  const parts = wanted.split(/(\*\*\/|\*\*|\*|\?)/)
  const source = parts.map((part) => wildcards[part] ?? RE2JS.quote(part)).join('')
  const compiled = RE2JS.compile(`^(?:${source})$`, RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL)
  const isPath = wanted.includes('/')
  return (path) => {
    const normal = path.normalize('NFC')
    return compiled.test(isPath ? normal : normal.slice(normal.lastIndexOf('/') + 1))
  }
}
