import { describe, expect, test } from 'vitest'
import { catalogue } from '../catalogue/index.ts'
import { toAnthropicTools, toGeminiTools, toOpenAITools, toolSchemas } from './tool-schemas.ts'

function keywords(schema: unknown, isProperties = false): string[] {
  if (Array.isArray(schema)) return schema.flatMap((each) => keywords(each))
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(isProperties ? [] : [key]),
    ...keywords(value, key === 'properties' && !isProperties),
  ])
}

describe('tool schemas', () => {
  test.each(catalogue.map((tool) => [tool.name, tool] as const))('%s suits all three providers', (_name, tool) => {
    const { anthropic, openai, gemini } = toolSchemas(tool)
    for (const schema of [anthropic, openai, gemini]) {
      expect(schema.type).toBe('object')
      expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
      for (const refused of ['oneOf', 'const', '$schema', '$ref', 'allOf'])
        expect(keywords(schema)).not.toContain(refused)
      for (const union of ['anyOf', 'oneOf', 'allOf']) expect(schema).not.toHaveProperty(union)
    }
    const known = [
      'type',
      'description',
      'properties',
      'required',
      'enum',
      'anyOf',
      'minimum',
      'maximum',
      'minLength',
      'maxLength',
      'items',
      'minItems',
      'maxItems',
    ]
    for (const key of keywords(gemini)) expect(known).toContain(key)
  })

  test('a field may be called like a keyword', () => {
    const insert = catalogue.find((tool) => tool.name === 'insert_text')
    const { gemini } = toolSchemas(insert!)
    expect(JSON.stringify(gemini)).toContain('"enum":["absolute"]')
    expect(gemini).toHaveProperty('properties.position.anyOf')
  })

  test('each provider gets its own shape, and a fresh copy each time', () => {
    const [anthropic] = toAnthropicTools(catalogue)
    expect(anthropic).toMatchObject({ name: 'read_document', input_schema: { type: 'object' } })
    expect(toOpenAITools(catalogue)[0]).toMatchObject({ type: 'function', function: { name: 'read_document' } })
    const [gemini] = toGeminiTools(catalogue)
    expect(gemini?.functionDeclarations).toHaveLength(catalogue.length)
    expect(toGeminiTools(catalogue)[0]).not.toBe(gemini)
    expect(toGeminiTools([])).toEqual([])
  })

  test('every name and description is fit to send', () => {
    for (const tool of catalogue) {
      expect(tool.name).toMatch(/^[a-z_]{1,64}$/)
      expect(tool.description.length).toBeGreaterThan(40)
      expect(tool.description.length).toBeLessThan(1024)
    }
  })
})
