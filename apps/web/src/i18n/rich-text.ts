import type { CompiledMessage } from 'icu-minify/format'
import { createElement, Fragment, type ReactNode } from 'react'
import { type EnglishMessage, formatMessage, type ValuesOf } from './translate.ts'

type TagsOf<Message extends string> = Message extends `${string}</${infer Tag}>${infer Rest}`
  ? Tag | TagsOf<Rest>
  : never
type ElementsOf<Message extends string> = Record<TagsOf<Message>, (content: ReactNode[]) => ReactNode>

/** A message of which parts are elements: `tRich('By <b>{name}</b>', { name, b: (content) => <b>{content}</b> })`. */
export function tRich<Message extends EnglishMessage>(
  message: Message,
  values: ValuesOf<Message> & ElementsOf<Message>,
  compiled?: CompiledMessage,
): ReactNode {
  const parts = [formatMessage<ReactNode>(message, values, compiled)].flat()
  return createElement(Fragment, null, ...parts)
}
