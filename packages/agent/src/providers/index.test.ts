import { expect, test } from 'vitest'
import { createProvider } from './index.ts'
import type { ProviderSettings } from './settings.ts'

const nothing: ProviderSettings = { provider: 'auto', anthropic: {}, openai: {}, gemini: {} }
const key = { apiKey: 'k' }

test.each<[string, Partial<ProviderSettings>, string | undefined]>([
  ['nothing', {}, undefined],
  ['all keys', { anthropic: key, openai: key, gemini: key }, 'anthropic'],
  ['two keys', { openai: key, gemini: key }, 'openai'],
  ['an address of a local server without a key', { openai: { baseURL: 'http://127.0.0.1:11434/v1' } }, 'openai'],
  ['an address alone, of a service that needs a key', { anthropic: { baseURL: 'http://127.0.0.1:1' } }, undefined],
  ['an empty key', { anthropic: { apiKey: '' }, gemini: key }, 'gemini'],
])('auto with %s', (_, settings, expected) => {
  expect(createProvider({ ...nothing, ...settings })?.id).toBe(expected)
})

test('a provider that was asked for is taken, with its model', () => {
  const settings: ProviderSettings = { ...nothing, provider: 'gemini', model: 'gemini-flash-latest', anthropic: key }
  expect(createProvider(settings)).toMatchObject({ id: 'gemini', model: 'gemini-flash-latest' })
})
