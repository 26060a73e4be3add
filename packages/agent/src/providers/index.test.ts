import { expect, test } from 'vitest'
import { createProvider, type ProviderChoice } from './index.ts'

const key = { apiKey: 'k' }

test.each<[string, ProviderChoice['services'], string | undefined]>([
  ['nothing', {}, undefined],
  ['all keys', { anthropic: key, openai: key, gemini: key }, 'anthropic'],
  ['two keys', { openai: key, gemini: key }, 'openai'],
  ['an address of a local server without a key', { openai: { baseURL: 'http://127.0.0.1:11434/v1' } }, 'openai'],
  ['an address alone, of a service that needs a key', { anthropic: { baseURL: 'http://127.0.0.1:1' } }, undefined],
  ['an empty key', { anthropic: { apiKey: '' }, gemini: key }, 'gemini'],
])('auto with %s', (_, services, expected) => {
  expect(createProvider({ provider: 'auto', services })?.id).toBe(expected)
})

test('a provider that was asked for is taken, with its model', () => {
  const choice = { provider: 'gemini', model: 'gemini-flash-latest', services: { anthropic: key } }
  expect(createProvider(choice)).toMatchObject({ id: 'gemini', model: 'gemini-flash-latest' })
})

test('an unknown service is refused with the names of those there are', () => {
  expect(() => createProvider({ provider: 'other', services: {} })).toThrow(/anthropic, openai, gemini/)
})
