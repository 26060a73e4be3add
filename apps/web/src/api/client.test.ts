import { expect, test } from 'vitest'
import { z } from 'zod'
import { invalidInput } from './client.ts'

const shape = z.object({ name: z.string().min(1).max(5), scope: z.enum(['read']), url: z.url('Give an address.') })

function problemOf(change: object): string | undefined {
  const { error } = shape.safeParse({ name: 'Ana', scope: 'read', url: 'https://example.org', ...change })
  return error && invalidInput(error).message
}

test('[LANG-4] fields that are empty, too long or not valid have words of the interface, not those of the library', () => {
  expect(problemOf({ name: '' })).toBe('Something is missing: fill in every field.')
  expect(problemOf({ name: 'too long' })).toBe('Too long: at most 5 characters.')
  expect(problemOf({ scope: 'all' })).toBe('Something here isn’t valid. Check what you have entered.')
  expect(problemOf({ url: 'x' })).toBe('Give an address.')
})
