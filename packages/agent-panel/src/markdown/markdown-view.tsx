import { memo, type ReactNode, useMemo } from 'react'
import type { Inline } from './inline-markdown.ts'
import { type Block, parseMarkdown } from './markdown.ts'
import { isSafeUrl } from './safe-url.ts'

/** An answer's Markdown as elements. Unsafe links remain text. */
export const MarkdownView = memo(function MarkdownView({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  return (
    <div className="ap-answer" dir="auto">
      {blocks.map(renderBlock)}
    </div>
  )
})

function renderBlock(block: Block, key: number): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return (
        <p key={key} dir="auto">
          {block.children.map(renderInline)}
        </p>
      )
    case 'heading':
      return (
        <p key={key} dir="auto" className="ap-strong">
          {block.children.map(renderInline)}
        </p>
      )
    case 'code':
      return (
        <pre key={key} tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'quote':
      return <blockquote key={key}>{block.children.map(renderBlock)}</blockquote>
    case 'rule':
      return <hr key={key} />
    case 'list':
      return renderList(block, key)
  }
}

function renderList(block: Extract<Block, { type: 'list' }>, key: number): ReactNode {
  const items = block.items.map((item, index) => <li key={index}>{item.map(renderBlock)}</li>)
  return block.ordered ? (
    <ol key={key} start={block.start}>
      {items}
    </ol>
  ) : (
    <ul key={key}>{items}</ul>
  )
}

function renderInline(part: Inline, key: number): ReactNode {
  switch (part.type) {
    case 'text':
      return part.text
    case 'code':
      return <code key={key}>{part.text}</code>
    case 'strong':
      return <strong key={key}>{part.children.map(renderInline)}</strong>
    case 'emphasis':
      return <em key={key}>{part.children.map(renderInline)}</em>
    case 'strike':
      return <s key={key}>{part.children.map(renderInline)}</s>
    case 'break':
      return <br key={key} />
    case 'link':
      if (!isSafeUrl(part.href)) return part.children.map(renderInline)
      return (
        <a key={key} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
          {part.children.map(renderInline)}
        </a>
      )
  }
}
