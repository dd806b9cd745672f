// Before React.
import './lean-console.ts'
import * as React from 'react'

/**
 * React's development build notes for each element where it was made, for tools of developers: a
 * tenth of what a screen test costs. It stops after 10,000 notes within a second (`jsxDEV`), which
 * this makes it believe. Its warnings, which fail tests, do not change.
 */
const INTERNALS = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
const internals: unknown = Reflect.get(React, INTERNALS)
if (typeof internals === 'object' && internals !== null)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    configurable: true,
    get: () => Number.POSITIVE_INFINITY,
    set: () => {
      // React begins to count again each second.
    },
  })

/**
 * No screen test reads pixels of the page, and without a graphics card painting them is a third of
 * what the tests of a dialog cost, most of it the blur around the dialog. Chromium paints no frame
 * that is fully transparent; what the frame holds is laid out, visible and pressed as ever.
 */
const frame = window.frameElement
if (frame instanceof window.parent.window.HTMLElement) frame.style.opacity = '0'
