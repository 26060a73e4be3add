import compile from 'icu-minify/compile'
import { parseSync, type Plugin, Visitor } from 'vite'

const translators = new Set(['t', 'tRich'])

/**
 * Compiles the ICU messages of the interface, so that the browser needs no parser for them: the values of the
 * catalogues
 * in `src/i18n`, and the English messages where they are used. `t('{n, plural, …}', { n })` gets the compiled message
 * as
 * a third argument. A message that can't be parsed fails the build.
 */
export function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform: {
      filter: { id: /\/apps\/web\/src\/.*\.(tsx?|json)$/ },
      handler(code, id) {
        if (/\/i18n\/(failures\/)?\w+\.json$/.test(id))
          return { code: JSON.stringify(compileCatalogue(code)), map: null }
        if (id.endsWith('.json') || !/\bt(Rich)?\(/.test(code)) return null
        // Nothing moves to another line, so that the source map still holds.
        return { code: compileCalls(id, code), map: null }
      },
    },
  }
}

/** Compiles the texts of a catalogue; those without values stay as they are. */
function compileCatalogue(json: string): Record<string, unknown> {
  const texts = JSON.parse(json) as Record<string, string>
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, isMessage(key) ? compile(text) : text]))
}

/** Compiles the messages of the calls in a module. */
export function compileCalls(file: string, code: string): string {
  const additions: { at: number; text: string }[] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [message, values] }) {
      if (callee.type !== 'Identifier' || !translators.has(callee.name) || !values) return
      if (message?.type !== 'Literal' || typeof message.value !== 'string')
        throw new Error(`${file}: a message with values must be a literal, which can be compiled`)
      additions.push({ at: values.end, text: `, ${JSON.stringify(compile(message.value))}` })
    },
  })
  visitor.visit(parseSync(file, code).program)
  return additions
    .toSorted((a, b) => b.at - a.at)
    .reduce((now, { at, text }) => now.slice(0, at) + text + now.slice(at), code)
}

/** Whether a text is an ICU message; all others are shown as they are. */
function isMessage(key: string): boolean {
  return /\{|<\//.test(key)
}
