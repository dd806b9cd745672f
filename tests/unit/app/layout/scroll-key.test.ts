import { describe, expect, it } from 'vitest'
import { scrollKey } from '#src/app/layout/scroll-key.ts'

describe('the scroll position of a page', () => {
  it('is not taken over by another page that is the first of its visit too', () => {
    const checkout = scrollKey({ key: 'default', pathname: '/uploads/orders/1/checkout' })
    expect(scrollKey({ key: 'default', pathname: '/edits' })).not.toBe(checkout)
    expect(scrollKey({ key: 'default', pathname: '/uploads/orders/1/checkout' })).toBe(checkout)
  })

  it('belongs to one visit of a page that was reached by a link', () => {
    expect(scrollKey({ key: 'a1', pathname: '/edits' })).not.toBe(
      scrollKey({ key: 'b2', pathname: '/edits' }),
    )
  })
})
