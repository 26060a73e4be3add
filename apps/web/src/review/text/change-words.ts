import { type ChangeWords, englishWords } from '@copydesk/schema'
import type { Attrs } from 'prosemirror-model'
import { type EnglishText, t } from '../../i18n/translate.ts'

const blocks: Readonly<Record<string, EnglishText>> = {
  paragraph: 'paragraph',
  blockquote: 'blockquote',
  bulletList: 'bullet list',
  taskList: 'taskList',
  tableHeader: 'header cell',
  tableCell: 'cell',
  image: 'image',
}

const sides: Readonly<Record<string, EnglishText>> = { left: 'left', center: 'center', right: 'right' }

const formats: Readonly<Record<string, EnglishText>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strike: 'strike',
  code: 'code',
  highlight: 'highlight',
}

/** The names of types of blocks and of formats in the user's language, for cards of suggested changes. */
export const changeWords = (): ChangeWords => ({
  block: nameBlock,
  format: (mark) => {
    if (mark.type.name === 'link') return t('link to {address}', { address: String(mark.attrs.href) })
    const name = formats[mark.type.name]
    if (name === undefined) return englishWords.format(mark)
    const { color } = mark.attrs
    return typeof color === 'string' ? `${t(name)} ${color}` : t(name)
  },
  plain: t('plain'),
  quote: (text) => t('“{text}”', { text }),
})

function nameBlock(type: string, attributes: Attrs): string {
  const { level, language, start, checked, align } = attributes
  if (type === 'heading') return t('heading {level}', { level: String(level) })
  if (type === 'taskItem') return t(checked === true ? 'done' : 'to do')
  if (type === 'codeBlock') return typeof language === 'string' ? `${t('code')} (${language})` : t('code')
  if (type === 'orderedList')
    return start === 1 ? t('numbered list') : t('numbered list from {start}', { start: String(start) })
  const name = blocks[type]
  if (name === undefined) return englishWords.block(type, attributes)
  if (type === 'image') return `${t(name)} ${describeImage(attributes)}`
  return typeof align === 'string' ? `${t(name)}, ${nameSide(align)}` : t(name)
}

function describeImage({ src, alt, title, width, align }: Attrs): string {
  const size =
    typeof width === 'number'
      ? t('{width} pixels wide', { width: String(width) })
      : width && t('{width} wide', { width: String(width) })
  const side = typeof align === 'string' ? nameSide(align) : ''
  return [src, alt, title, size, side].filter(Boolean).map(String).join(', ')
}

function nameSide(align: string): string {
  const side = sides[align]
  return side === undefined ? align : t(side)
}
