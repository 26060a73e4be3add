/** A page with an editor and a panel: `npx vite examples`, with a server of one's own behind `POST /model`. */
import { createRoot } from 'react-dom/client'
import { EditorChat, type Model, type ModelTurn } from './editor-chat.tsx'

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const content = {
  type: 'doc',
  content: [paragraph('We meet in Pari on Monday.'), paragraph('Bring the papers.')],
}

const model: Model = async (conversation, given) => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ conversation, ...given })
  const response = await fetch('/model', { method: 'POST', headers, body })
  if (!response.ok) throw new Error('The model gave no answer. Try again.')
  return (await response.json()) as ModelTurn
}

const place = document.getElementById('app')
if (place) createRoot(place).render(<EditorChat content={content} model={model} />)
