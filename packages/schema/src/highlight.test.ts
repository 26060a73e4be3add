import { expect, test } from 'vitest'
import { schema } from './extensions.ts'

function render(color: unknown): unknown {
  const mark = schema.mark('highlight', { color })
  return mark.type.spec.toDOM?.(mark, true)
}

test('a highlight renders a plain colour and nothing else that a peer has stored in its place', () => {
  expect(JSON.stringify(render('#ffee88'))).toContain('background-color: #ffee88')
  expect(JSON.stringify(render('yellow'))).toContain('background-color: yellow')
  for (const hostile of ['red; position: fixed', 'url(https://example.org/x)', 'var(--x)', 7, { a: 1 }, null]) {
    expect(JSON.stringify(render(hostile))).not.toContain('style')
  }
})
