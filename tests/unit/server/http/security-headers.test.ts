import { expect, it } from 'vitest'
import { securityHeaders } from '#server/http/security-headers.ts'

const plain = {
  publicOrigin: 'http://localhost:4400',
  storeOrigin: null,
  usesRecaptcha: false,
  frameOrigin: null,
  walletOrigins: [],
}
const policyOf = (settings: Parameters<typeof securityHeaders>[0]): readonly string[] =>
  (securityHeaders(settings)['content-security-policy'] ?? '').split('; ')

it.each([
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
])('every page says %s', (directive) => {
  expect(policyOf(plain)).toContain(directive)
})

it.each([
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['cross-origin-opener-policy', 'same-origin-allow-popups'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'same-origin'],
  [
    'permissions-policy',
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  ],
  ['strict-transport-security', undefined],
])('every answer has %s: %s', (name, value) => {
  expect(securityHeaders(plain)[name]).toBe(value)
})

it('allows only what is set up beside its own origin', () => {
  const settings = {
    publicOrigin: 'https://onecut.test',
    storeOrigin: 'https://store.test',
    usesRecaptcha: true,
    frameOrigin: 'https://frames.test',
    walletOrigins: ['https://pay.test'],
  }
  expect(policyOf(settings)).toEqual(
    expect.arrayContaining([
      "connect-src 'self' https://store.test",
      "img-src 'self' blob: data: https://store.test",
      "media-src 'self' blob: https://store.test",
      "script-src 'self' 'wasm-unsafe-eval' https://www.google.com https://www.gstatic.com",
      "frame-src 'self' https://frames.test https://www.google.com",
      "frame-ancestors 'none'",
    ]),
  )
  expect(securityHeaders(settings)).toMatchObject({
    'permissions-policy': expect.stringContaining(
      'payment=(self "https://frames.test" "https://pay.test")',
    ) as string,
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  })
})
