import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A real SMTP server that keeps received mails. */
export type Mailbox = {
  /** The variables with which a server sends its mail here. */
  environment: { SMTP_URL: string; MAIL_FROM: string }
  mails: Email[]
  /** Refuses every mail with this SMTP status until it is set to undefined. */
  refuseWith(status: number | undefined): void
  close(): Promise<void>
}

/** Starts a mailbox on a free port of this machine. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: Email[] = []
  let status: number | undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, _session, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      if (status !== undefined) return done(Object.assign(new Error('not now'), { responseCode: status }))
      mails.push(await PostalMime.parse(Buffer.concat(chunks)))
      done()
    },
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    environment: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Copydesk <copydesk@example.org>' },
    mails,
    refuseWith: (wanted) => void (status = wanted),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
