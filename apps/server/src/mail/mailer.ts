export type Mail = { to: string; subject: string; text: string; headers?: Record<string, string> }

/** Sends mail through the configured SMTP server. */
export type Mailer = {
  /** Resolves when the SMTP server has accepted the mail. @throws the error of nodemailer, with `responseCode`. */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

const timeoutMs = 20_000

/** A mailer over SMTP_URL with the sender MAIL_FROM; undefined if they are not set. Connects with the first mail. */
export function createMailer({ SMTP_URL: url, MAIL_FROM: from }: MailSettings): Mailer | undefined {
  if (url === undefined || from === undefined) return undefined
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
    // Mails contain no files or addresses that nodemailer would have to fetch.
    const safety = { disableFileAccess: true, disableUrlAccess: true }
    return createTransport({ url, pool: true, maxConnections: 1, ...limits, ...safety }, { from })
  }
  let transport: ReturnType<typeof open> | undefined
  return {
    async send(mail) {
      await (await (transport ??= open())).sendMail(mail)
    },
    async close() {
      const opened = await transport
      opened?.close()
    },
  }
}

/** Whether the SMTP server refuses this mail permanently, so that it must not be sent again (RFC 5321, 4.2.1). */
export function isPermanent(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  return code >= 500 && code < 600
}

/** The variables SMTP_URL (`smtp://` or `smtps://`) and MAIL_FROM. */
export type MailSettings = { SMTP_URL?: string | undefined; MAIL_FROM?: string | undefined }
