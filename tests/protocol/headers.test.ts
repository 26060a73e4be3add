import { expect, test } from 'vitest'
import { startCopydesk } from '../support/copydesk.ts'

/** The directives of a response's Content-Security-Policy, by name. */
function policyOf(response: Response): Map<string, string> {
  const policy = response.headers.get('content-security-policy') ?? ''
  return new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(/\s+/)
      return [name, values.join(' ')]
    }),
  )
}

test('[ROUTE-17] every answer says what a page may load: no inline script, nothing of others but images', async () => {
  const server = await startCopydesk()
  try {
    for (const path of ['/', '/d/nowhere', '/api/me', '/api/nowhere', '/api/openapi.json']) {
      const response = await fetch(`${server.url}${path}`, { headers: { accept: 'text/html' } })
      const policy = policyOf(response)
      expect(policy.get('script-src')).toBe("'self'")
      expect(policy.get('script-src-attr')).toBe("'none'")
      expect(policy.get('connect-src')).toBe("'self'")
      expect(policy.get('object-src')).toBe("'none'")
      expect(policy.get('base-uri')).toBe("'self'")
      expect(policy.get('frame-ancestors')).toBe("'none'")
      expect(policy.has('upgrade-insecure-requests')).toBe(false)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('strict-transport-security')).toBeNull()
    }
  } finally {
    await server.dispose()
  }
})

test('[ROUTE-18] behind TLS browsers get HSTS, and the session cookie is Secure', async () => {
  const server = await startCopydesk({ PUBLIC_URL: 'https://desk.example' })
  try {
    const response = await fetch(`${server.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ana' }),
    })
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(policyOf(response).has('upgrade-insecure-requests')).toBe(true)
    expect(response.headers.get('set-cookie')).toMatch(/; HttpOnly; Secure; SameSite=Lax/)
  } finally {
    await server.dispose()
  }
})
