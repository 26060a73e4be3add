import type { ModelScript, ModelServerChunk } from '@copydesk/agent/testing'

const call = (name: string, input: Record<string, unknown>): { chunks: ModelServerChunk[] } => ({
  chunks: [{ toolCall: { name, arguments: input } }],
})

/**
 * Plays a model that works on the files of a project: it looks with the tools, and says and writes only what it has
 * read in their results. What it can't find in one, it says.
 */
export const projectPlayer: ModelScript = (request) => {
  const { lastUser, results } = request
  const last = results.at(-1) ?? ''
  const asked = /Read|Find where|Find all|What files use|Add a comment|Search/.exec(lastUser)?.[0]
  if (asked === 'Add a comment') return addComment(lastUser, results)
  if (results.length === 0) return firstLook(asked, lastUser)
  if (asked === 'Read') return `The project is called ${found(/"name": "([^"]+)"/, last)}.`
  if (asked === 'Find where') return `It is defined in \`${found(/^([\w./-]+:\d+) \(class\)/m, last)}\`.`
  if (asked === 'What files use') {
    const files = new Set([...last.matchAll(/^([\w./-]+):\d+: /gm)].map(([, path]) => path))
    return `${files.size} files use it, such as \`${[...files][0]}\`.`
  }
  if (asked === 'Find all') {
    const places = [...last.matchAll(/^([\w./-]+:\d+): .*TODO:? ?(.*)$/gm)]
    return [`${places.length} of them:`, ...places.map(([, place, text]) => `- \`${place}\` ${text}`)].join('\n')
  }
  if (asked === 'Search') {
    const rest = found(/…and ([\d,]+) more/, last)
    return `${found(/^([\d,]+) matches/m, last)} lines match; I was shown all but ${rest}.`
  }
  // A long file: the first read says how long it is, and how to go on.
  const total = found(/, lines \d+ to \d+ of (\d+):/, last)
  if (results.length === 1) return call('read_file', { path: pathIn(lastUser), from: Number(total) })
  return `Line ${total} is “${found(new RegExp(`^${total}: (.*)$`, 'm'), last)}”.`
}

function firstLook(asked: string | undefined, text: string): ReturnType<typeof call> {
  if (asked === 'Find where') {
    return call('find_definition', { symbol: found(/where (\w+) is/, text) })
  }
  if (asked === 'Find all') return call('search_files', { pattern: 'TODO', filePattern: '*.ts' })
  if (asked === 'What files use') return call('find_importers', { modulePath: pathIn(text) })
  if (asked === 'Search') return call('search_files', { pattern: found(/for (\w+)/, text) })
  return call('read_file', { path: pathIn(text) })
}

/** Reads, looks who uses the file, proposes; reads again if the file has changed, and follows a rejection's reason. */
function addComment(text: string, results: readonly string[]): ReturnType<ModelScript> {
  const path = pathIn(text)
  const last = results.at(-1) ?? ''
  const read = results.findLast((result) => result.includes(', lines 1 to ')) ?? ''
  if (results.length === 0 || last.includes('Read it again')) return call('read_file', { path })
  if (results.length === 1) return call('find_importers', { modulePath: path })
  if (last.includes(`Changed ${path}`)) return `The comment is in \`${path}\`.`
  const lines = [...read.matchAll(/^\d+: (.*)$/gm)].map(([, line]) => line)
  const isShort = results.some((result) => result.includes('In one line'))
  const exported = [...read.matchAll(/export \w+ (\w+)/g)].map(([, name]) => name)
  const comment = isShort ? [`// Holds ${exported.join(', ')}.`] : ['/*', ` * Holds ${exported.join(', ')}.`, ' */']
  const content = `${[...comment, ...lines].join('\n')}\n`
  return call('edit_file', { path, content, description: `Explains at the top what ${path} holds.` })
}

function pathIn(text: string): string {
  return found(/([\w./-]+\.\w+)/, text)
}

function found(pattern: RegExp, text: string): string {
  return pattern.exec(text)?.[1] ?? 'nothing that I can find'
}
