import type { CompiledMessage } from 'icu-minify/format'
import { createElement, Fragment, type ReactNode } from 'react'
import { type EnglishMessage, formatMessage, type ValuesOf } from './translate.ts'

type TagsOf<Message extends string> = Message extends `${string}</${infer Tag}>${infer Rest}`
  ? Tag | TagsOf<Rest>
  : never
type Draw = (content: ReactNode[]) => ReactNode
type ElementsOf<Message extends string> = Record<Exclude<TagsOf<Message>, 'bdi'>, Draw> & { bdi?: Draw }

const bdi: Draw = (content) => createElement('bdi', null, ...content)

/**
 * A message with elements as parts: `tRich('By <b>{name}</b>', { name, b: (content) => <b>{content}</b> })`. The tag
 * `bdi` is that element unless another one is given.
 */
export function tRich<Message extends EnglishMessage>(
  message: Message,
  values: ValuesOf<Message> & ElementsOf<Message>,
  compiled?: CompiledMessage,
): ReactNode {
  const parts = [formatMessage<ReactNode>(message, { bdi, ...values }, compiled)].flat()
  return createElement(Fragment, null, ...parts)
}
