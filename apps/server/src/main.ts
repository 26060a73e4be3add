// In a file of its own: parts that are loaded on demand share code with what starts the server, and must not start another one.
const { runServer } = await import('./run-server.ts')
runServer()
