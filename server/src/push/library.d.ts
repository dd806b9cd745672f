/** What is used of web-push, which has no types of its own. */
declare module 'web-push' {
  interface RequestOptions {
    readonly vapidDetails: {
      readonly subject: string
      readonly publicKey: string
      readonly privateKey: string
    }
    readonly topic: string
    readonly TTL: number
    readonly contentEncoding: 'aes128gcm'
    readonly urgency: 'normal'
  }
  const webPush: {
    generateRequestDetails(
      subscription: {
        readonly endpoint: string
        readonly keys: { readonly p256dh: string; readonly auth: string }
      },
      payload: string,
      options: RequestOptions,
    ): {
      readonly endpoint: string
      readonly headers: Readonly<Record<string, string | number>>
      readonly body: Buffer
    }
  }
  export default webPush
}
