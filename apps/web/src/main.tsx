import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { startLanguage } from './i18n/translate.ts'
import './styles/index.css'
import { startTheme } from './ui/theme.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')

startTheme()
// An `await` would keep the other chunks from sharing this module's code.
void startLanguage().then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
