import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseCommand } from '../../packages/builtin-agent/src/grammar.ts'
import { root } from '../../scripts/lib/paths.ts'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const german: Record<string, string> = JSON.parse(read('apps/web/src/i18n/de.json'))

test('[LANG-10] the built-in agent understands what the buttons above its message field write', () => {
  const [, source = ''] =
    /const ofBuiltin: Commands = (\{[^]*?\n\})/.exec(read('apps/web/src/chat/use-selected-text.ts')) ?? []
  const texts = [...source.matchAll(/ text: '([^']+)'(, opens)?/g)].map(([, text = '', opens]) => ({ text, opens }))
  expect(texts).toHaveLength(8)
  for (const { text, opens } of texts)
    for (const [language, said] of Object.entries({ en: text, de: german[text] })) {
      const { kind, language: answered } = parseCommand(`${said}${opens ? 'X' : ''}`, 'cat')
      expect([said, kind === 'declined', answered]).toEqual([said, false, language])
    }
})
