import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = 'http://127.0.0.1:3000'

/** Build and development server of the browser app. Everything is a file of its own: the page runs under a strict CSP. */
export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    // The editor with Yjs is one part of that size, loaded when a document is opened.
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': { target: server },
      '/collab': { target: server, ws: true },
    },
  },
})
