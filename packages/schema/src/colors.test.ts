import { expect, test } from 'vitest'
import { isCssColor } from './colors.ts'

test.each([
  'red',
  'RebeccaPurple',
  '#abc',
  '#aabbccdd',
  'rgb(1, 2, 3)',
  'rgb(1 2 3 / 50%)',
  'hsl(120deg 50% 50%)',
  'oklch(0.7 0.1 200)',
])('%s is a colour', (color) => expect(isCssColor(color)).toBe(true))

test.each([
  ['', 'reddish', '#ab', '#abcde', 'rgb(1, 2)', 'var(--x)', 'inherit', 'url(//evil.example)', 'red; color: red'],
  ['rgb(1 2 3); background: url(x)', 'red}', `rgb(${'1'.repeat(200)} 2 3)`, '\\72 ed', 'expression(alert(1))'],
])('%s and the like are none', (...texts) => {
  for (const text of texts) expect(isCssColor(text), text).toBe(false)
})
