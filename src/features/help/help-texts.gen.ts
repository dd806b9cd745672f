/** Written by `npm run help` from docs/help. */
import type { HelpPage, HelpSlug } from '#src/config/help-pages.ts'

export const HELP_PAGES: Readonly<Record<HelpSlug, HelpPage>> = {
  "uploads-slow-lines": {
    "title": "Uploading on a bad connection",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "Onecut is made for slow and shaky lines."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "what-happens-when-the-line-drops",
        "title": "What happens when the line drops",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Your video travels in small parts. Every part that has arrived is safe on the server and is never sent again. When the connection goes away, the upload waits and says so; when it comes back, the upload goes on by itself."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The page always shows three things: what is safe, what the upload waits for, and what you can do."
              }
            ]
          }
        ]
      },
      {
        "id": "your-first-edits-in-minutes",
        "title": "Your first edits in minutes",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Choose the moments of a teaser, stills or GIFs while your video uploads, and submit: Onecut sends just those moments first, and makes these edits as soon as they are paid. The page says how much is sent first. It works with MP4, MOV, MKV and WebM files, recordings of OBS too, where it saves more than a few minutes; with other files your edits begin when all of it has arrived. Edits of the same video that you order later are sent first too. If your video has several sounds, choose one first."
              }
            ]
          }
        ]
      },
      {
        "id": "sending-only-a-part",
        "title": "Sending only a part",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Press 'Send only a part' beside your video, and move the two handles or type the times: only what lies between them is sent, as it is, and prices follow its length. The handles stop where the video can be cut without a change to its picture. It works with MP4 and MOV files, until their edits are ordered."
              }
            ]
          }
        ]
      },
      {
        "id": "what-helps-on-a-slow-line",
        "title": "What helps on a slow line",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": false,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Upload at night or in a Wi-Fi that is not shared. The length of your video does not matter to the upload, its size does."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Leave the page in sight. Phones often stop what a browser does when the screen goes off; while Onecut sends, it keeps the screen on where your browser can."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Pause other uploads. Onecut sends one video at a time for this reason."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Do not convert the video to make it smaller. Edits are made from what you upload, so a worse file makes worse edits."
                }
              ]
            ]
          }
        ]
      },
      {
        "id": "hotels-trains-and-cafes",
        "title": "Hotels, trains and cafés",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "If the page says that the network wants you to sign in first, open any other page in a new tab and sign in to the network there. Then come back: the upload goes on by itself."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "If the page says that something between your device and the server refuses the upload, try another network, such as the mobile network of your phone. What has arrived stays safe."
              }
            ]
          }
        ]
      },
      {
        "id": "what-can-be-uploaded",
        "title": "What can be uploaded",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "One video file at a time, up to 50 GB. Your device checks it before the first byte is sent, and tells you if the file cannot be edited."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "See also "
              },
              {
                "kind": "link",
                "text": "closing the page",
                "to": "/help/closing-the-page"
              },
              {
                "kind": "text",
                "text": " and "
              },
              {
                "kind": "link",
                "text": "continuing on another device",
                "to": "/help/another-device"
              },
              {
                "kind": "text",
                "text": "."
              }
            ]
          }
        ]
      }
    ]
  },
  "closing-the-page": {
    "title": "Closing the page while a video uploads",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "You may close the page at any time. What has arrived is safe. What happens next depends on your browser, and the page says which of these holds for your upload."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "chrome-and-edge",
        "title": "Chrome and Edge",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "They go on for a few minutes after you close the page. Press 'Finish in the background' on the upload, and the browser sends the rest by itself while it runs, without a page of Onecut. It goes on after a restart of the computer, once you open the browser."
              }
            ]
          }
        ]
      },
      {
        "id": "firefox-and-safari",
        "title": "Firefox and Safari",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The upload stops when the page closes and goes on when you open Onecut again."
              }
            ]
          }
        ]
      },
      {
        "id": "when-you-come-back",
        "title": "When you come back",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Open Onecut on the same device. Unfinished uploads are listed on the page 'New Upload', and most of them go on by themselves. Some browsers do not keep the file after a reload; then the page asks you to choose the same file again. Nothing that has arrived is sent twice."
              }
            ]
          }
        ]
      },
      {
        "id": "when-nothing-is-sent-for-a-day",
        "title": "When nothing is sent for a day",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "We send you a mail, so that no upload is forgotten. It names no video. You can end such mails on your account page."
              }
            ]
          }
        ]
      },
      {
        "id": "how-long-an-unfinished-upload-is-kept",
        "title": "How long an unfinished upload is kept",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The server deletes an unfinished upload after 7 days in which nothing arrived. Until then you can go on."
              }
            ]
          }
        ]
      },
      {
        "id": "phones",
        "title": "Phones",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Phones stop pages in the background after a short time. That loses nothing, but nothing is sent either. So keep the page open for large videos. While it is in sight and sends, Onecut keeps the screen on, where your browser can; you can switch that off under 'My Account'. With a low battery the screen may go dark all the same."
              }
            ]
          }
        ]
      }
    ]
  },
  "another-device": {
    "title": "Continuing on another device",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "An upload that you began on one device can go on on another: at home instead of on the road, or in another browser."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "how-to-go-on",
        "title": "How to go on",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Log in to Onecut on the other device, with the same address."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Open 'New Upload'. The unfinished upload is listed under what other devices are uploading."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press 'Choose … again' and choose the same video file."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Your device compares the file with what has arrived. If it is the same file, the upload goes on from there. If it is another one, the page says so, and nothing is lost."
              }
            ]
          }
        ]
      },
      {
        "id": "the-file-must-be-the-same",
        "title": "The file must be the same",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "It must be the same file, byte for byte. A copy on a USB stick is the same. A video that was sent through a messenger, exported again or shortened is not: it counts as a new video."
              }
            ]
          }
        ]
      },
      {
        "id": "if-both-devices-send",
        "title": "If both devices send",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Leave the upload to one device. If two send the same video at the same time, some of it is sent twice, which costs data but does no harm."
              }
            ]
          }
        ]
      },
      {
        "id": "choosing-edits-elsewhere",
        "title": "Choosing edits elsewhere",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "You can choose edits and pay on any device while another one still uploads: open 'New Upload' and then the video. Until the server has checked the video, pictures and previews need the device that has the file."
              }
            ]
          }
        ]
      }
    ]
  },
  "links": {
    "title": "Importing from a link or Dropbox",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "A video that is in the cloud need not come through your device: Onecut fetches it from a link. This is quicker on slow lines, and you can switch your device off meanwhile."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "how-to-import",
        "title": "How to import",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "In your cloud, share the video so that anyone with the link can download it, and copy that link."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press 'New Upload' and then 'Paste a link'."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Paste the link and press 'Import'."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Then choose your edits while the video arrives. Every device of yours shows how far it is."
              }
            ]
          }
        ]
      },
      {
        "id": "from-dropbox",
        "title": "From Dropbox",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Where your server offers it, press 'Dropbox' instead and choose a video in the window of Dropbox that opens. No link is needed. Onecut sees that one file and nothing else of your Dropbox. If a blocker of your browser keeps Dropbox out, paste a share link."
              }
            ]
          }
        ]
      },
      {
        "id": "which-links-work",
        "title": "Which links work",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The dialog names the hosts that this server takes, such as dropbox.com. You may paste the text around the link with it: the dialog says which link it found. It must lead to a video of up to 25 GB. If it leads to a page or a document, the dialog says so: copy the link that downloads the file."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The link is kept encrypted while the video is fetched and checked, then it is forgotten. Nothing else of your cloud is read."
              }
            ]
          }
        ]
      },
      {
        "id": "if-it-stops",
        "title": "If it stops",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": false,
            "items": [
              [
                {
                  "kind": "strong",
                  "text": "The host does not answer, or asks for a break."
                },
                {
                  "kind": "text",
                  "text": " Onecut tries again by itself and goes on from what has arrived. After 24 hours without a byte it gives up."
                }
              ],
              [
                {
                  "kind": "strong",
                  "text": "The link has expired."
                },
                {
                  "kind": "text",
                  "text": " Some links work for a few hours only. Share the video again, press 'Paste the link again' and paste the new link. If it leads to the same file, the import goes on from what has arrived, which is kept for 7 days. For a video of Dropbox, press 'Choose the file again'. If it is another file, the dialog says so."
                }
              ],
              [
                {
                  "kind": "strong",
                  "text": "The file was changed."
                },
                {
                  "kind": "text",
                  "text": " Onecut starts again from the beginning. If it changes again, paste the link when it is finished, as a new import."
                }
              ],
              [
                {
                  "kind": "strong",
                  "text": "It waits."
                },
                {
                  "kind": "text",
                  "text": " One of your imports runs at a time; the next one begins by itself."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "To end an import, press 'Discard', on any device."
              }
            ]
          }
        ]
      }
    ]
  },
  "drive": {
    "title": "Google Drive",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "A video in your Google Drive need not come through your device: Onecut fetches it from there. You can switch your device off meanwhile. Finished edits go back the same way."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "connecting",
        "title": "Connecting",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Open the menu of your account and press 'Integrations'."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press 'Connect Google Drive'. Google asks whether this server may read the files that you choose."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Allow it. You come back, and the drive is listed with your Google account."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "If it says 'Not available here', this server does not offer Google Drive. You can upload the video from your device, or paste "
              },
              {
                "kind": "link",
                "text": "a link",
                "to": "/help/links"
              },
              {
                "kind": "text",
                "text": " to it."
              }
            ]
          }
        ]
      },
      {
        "id": "importing",
        "title": "Importing",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Press 'New Upload' and then 'Google Drive'. Where no drive is connected yet, Google asks first."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Choose a video of up to 25 GB on Google's page. You come back here."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Choose your edits while the video arrives. Every device of yours shows how far it is."
                }
              ]
            ]
          }
        ]
      },
      {
        "id": "saving-finished-edits",
        "title": "Saving finished edits",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Show the edits of a video, and press 'Save to Google Drive' below them, or in the menu of its card."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Choose the edits, and press 'Save'. You can close the page."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "They arrive in the folder 'Onecut' of your drive, in one folder for each video. Pressing again makes no second copy, also not of what you have deleted there."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "If your drive is full, make room there and press 'Try again'. "
              },
              {
                "kind": "link",
                "text": "Dropbox",
                "to": "/help/dropbox"
              },
              {
                "kind": "text",
                "text": " saves in another way."
              }
            ]
          }
        ]
      },
      {
        "id": "what-the-server-can-do",
        "title": "What the server can do",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "It reads the videos that you choose, saves the edits that you choose, and does nothing else in your drive. The keys to your drive stay on the server, encrypted; no page and no app gets them."
              }
            ]
          }
        ]
      },
      {
        "id": "if-something-is-wrong",
        "title": "If something is wrong",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": false,
            "items": [
              [
                {
                  "kind": "strong",
                  "text": "'Limited Access'"
                },
                {
                  "kind": "text",
                  "text": ": you did not allow the server to read files. Press 'Reauthorize' and allow it."
                }
              ],
              [
                {
                  "kind": "strong",
                  "text": "'Please reconnect your Google account first...'"
                },
                {
                  "kind": "text",
                  "text": ": Google lets the server in no more, for example because you took its access away or changed your password. Press 'Reconnect': what waits goes on by itself."
                }
              ],
              [
                {
                  "kind": "strong",
                  "text": "It must be chosen again"
                },
                {
                  "kind": "text",
                  "text": ": the video was moved to the bin, or the server may not read it any more. Press 'Choose the file again'; what has arrived is kept for 7 days."
                }
              ]
            ]
          }
        ]
      },
      {
        "id": "disconnecting",
        "title": "Disconnecting",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Press 'Disconnect Integration'. The server forgets the keys and tells Google that they count no more. Imports and saves under way end. What has arrived stays, here and there."
              }
            ]
          }
        ]
      }
    ]
  },
  "dropbox": {
    "title": "Saving edits to Dropbox",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "Where your server offers it, finished edits go straight into your Dropbox. Nothing comes through your device."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "how-to-save",
        "title": "How to save",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Show the edits of a video, and press 'Save to Dropbox' below them, or in the menu of its card."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Choose the edits, and press 'Continue'."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press 'Open Dropbox'. Sign in there if it asks you, choose a folder, and press 'Save'."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Dropbox then fetches the files from the server. The dialog says how far it is, and when Dropbox has saved them. You can close it earlier; then Onecut does not hear how it ends, and you see the files in your Dropbox when they are there."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Saving again makes a second copy: Onecut does not see what is in your Dropbox."
              }
            ]
          }
        ]
      },
      {
        "id": "what-dropbox-gets",
        "title": "What Dropbox gets",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "An address of each chosen file, which works for an hour without signing in and gives that one file. Onecut gets no key to your Dropbox."
              }
            ]
          }
        ]
      },
      {
        "id": "if-something-is-wrong",
        "title": "If something is wrong",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": false,
            "items": [
              [
                {
                  "kind": "strong",
                  "text": "'Dropbox did not load'"
                },
                {
                  "kind": "text",
                  "text": ": a blocker of your browser may keep it out. You can download the files and put them into your Dropbox yourself."
                }
              ],
              [
                {
                  "kind": "strong",
                  "text": "'Dropbox could not save the files'"
                },
                {
                  "kind": "text",
                  "text": ": the server may not be reachable from the internet, as when it runs on your own computer, or your Dropbox is full. Very large files may take Dropbox too long: save fewer at once, or download them."
                }
              ],
              [
                {
                  "kind": "strong",
                  "text": "There is no such button"
                },
                {
                  "kind": "text",
                  "text": ": this server has no key of Dropbox, or the edits have no files yet."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "To bring a video from Dropbox, see "
              },
              {
                "kind": "link",
                "text": "importing",
                "to": "/help/links"
              },
              {
                "kind": "text",
                "text": "."
              }
            ]
          }
        ]
      }
    ]
  },
  "choosing-edits": {
    "title": "Choosing edits",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "You can choose edits while your video still uploads."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "how-it-works",
        "title": "How it works",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Choose your video on 'New Upload' and start the upload."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press the formats that you want. A format with options asks for them first; 'Apply' adds it."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press 'Submit for Editing'. The next page shows the exact price."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Your choice is saved with every press: a reload or a crash loses none of it."
              }
            ]
          }
        ]
      },
      {
        "id": "two-kinds-of-formats",
        "title": "Two kinds of formats",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Promotional Edits' make something short from your video: teasers (also 1:1 and 9:16), GIFs, stills. 'Full Scene Edits' change the whole video: a mask for the voice, faces that are hidden. You only see formats that this server can make."
              }
            ]
          }
        ]
      },
      {
        "id": "previews",
        "title": "Previews",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Preview' shows a format on your own video, made on your own device: nothing is sent for it. Its moments show the style: those of the finished edit are chosen on the server, unless you "
              },
              {
                "kind": "link",
                "text": "choose the moments",
                "to": "/help/choosing-moments"
              },
              {
                "kind": "text",
                "text": " yourself."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "What your device cannot show, the server does: moments, or seconds before and after."
              }
            ]
          }
        ]
      },
      {
        "id": "what-a-face-blur-hides",
        "title": "What a face blur hides",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Face Blur' covers faces with a mosaic of large, changing colours, which cannot be taken off again. After you have paid, the server searches the video for faces. Then the edit waits for you: press 'Review faces' in your library. What only one of two searches takes for a face is covered and says 'Not sure'. Both miss faces, so watch the whole video. You leave visible whom you want, draw a box over what was missed, or cover a whole stretch. That is saved at once. After 'Make the edit' nothing can be changed."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "A face is not all that tells who a person is: think of tattoos, rooms and voices too."
              }
            ]
          }
        ]
      },
      {
        "id": "faces-and-voices-in-one-edit",
        "title": "Faces and voices in one edit",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Incognito Scene' hides faces as 'Face Blur' does, with the same review, and changes voices as 'Voice Mask' does. Untick 'Obfuscate Voice' to keep the voices; the edit is then 'Face Blur'. It needs a video with sound."
              }
            ]
          }
        ]
      },
      {
        "id": "a-logo-as-watermark",
        "title": "A logo as watermark",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Dynamic Watermark' shows letters, or a logo from your "
              },
              {
                "kind": "link",
                "text": "media assets",
                "to": "/help/media-assets"
              },
              {
                "kind": "text",
                "text": ". Where faces have been found in your video, it keeps off them."
              }
            ]
          }
        ]
      },
      {
        "id": "the-finale-of-a-trailer-gif",
        "title": "The finale of a trailer GIF",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Short Trailer GIF' leaves out the last fifth of your video. Tick 'Include the finale' and set the moment on the pictures of your video, or with the slider: the GIF shows two seconds around it."
              }
            ]
          }
        ]
      },
      {
        "id": "formats-that-a-video-cannot-have",
        "title": "Formats that a video cannot have",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "A format that needs sound cannot be chosen for a video without any, and one that turns music down needs two channels that differ ("
              },
              {
                "kind": "link",
                "text": "edits of the sound",
                "to": "/help/sound-edits"
              },
              {
                "kind": "text",
                "text": "). A teaser of 15 seconds needs a longer video. 'Tube Cut' and 'Uniform Sampling' leave something out, or have an intro or outro. The page says so before you pay, also where VR180 would look flat."
              }
            ]
          }
        ]
      },
      {
        "id": "changing-your-mind",
        "title": "Changing your mind",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Until something is paid, press 'Change Requested Edits' on the page of the order. When a part of an order is paid, cancel the order first: every token of it comes back to your wallet."
              }
            ]
          }
        ]
      }
    ]
  },
  "choosing-moments": {
    "title": "Choosing moments",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "Teasers, trailers, tube cuts, GIFs, stills and the thumbnail video show the moments that Onecut finds best in your video. You can see them and choose others before you pay."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "open-the-board",
        "title": "Open the board",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Choose the format and press 'Moments' on its card, or 'Change' where it has no other options. On the device that has the video, the board opens at once, also offline and while the video is on its way. Its moments are evenly spaced at first. Your device looks for better ones in the file, which is not sent for that, and the board proposes them when it has them, unless you changed something. Where your browser cannot read the video, they stay evenly spaced."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Once your video is uploaded and checked, the board opens with the best moments, on every device: its pictures come from the server, so it also works where the video itself is not. What you chose before stays. The search for moments waits for edits that are paid for. You need not wait: without a choice the edit shows the best moments."
              }
            ]
          }
        ]
      },
      {
        "id": "change-what-is-shown",
        "title": "Change what is shown",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "At the top are the moments that will be delivered, in their order. Press one to select it, then:"
              }
            ]
          },
          {
            "kind": "list",
            "isOrdered": false,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "'Lock' keeps it when the others change."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "'Swap' shows the next best moment instead, or the next one where they are evenly spaced. After the last it begins again."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "'Never show' takes it out and never proposes it again. Below, a press takes that back."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "'Earlier' and 'Later' move it. You can also drag it by the handle on its picture. A moment that you moved is locked."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Surprise me' shows others in the place of all that are not locked. 'Start over' goes back to what Onecut chose. Press a picture in 'Moments to choose from' to show it in the place of the selected moment."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "A picture plays its moment, without sound, while the pointer or the focus of the keyboard is on it. On a phone, with reduced motion and with the data saver, press 'Play' on it. Of a long moment of a long video it may play a part; it then says how much."
              }
            ]
          }
        ]
      },
      {
        "id": "your-own-points",
        "title": "Your own points",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Enter when a moment begins and ends, for example 1:23.4, look at it with 'Play', and press 'Set points', or 'Add moment' for one more. The moments that are not locked give way, so that the edit keeps its length. If your moments are too long or too short for it, the board says by how much. In packs and thumbnail videos every file has a moment of its own length, so you enter only when it begins."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Apply' keeps your choice. Exactly these moments are delivered, give or take a picture or two. The choice belongs to this video: a set of edits does not keep it. It also ends when you change the length of the edit. A brand trailer then cuts where your moments end, not on the beat."
              }
            ]
          }
        ]
      }
    ]
  },
  "making-an-edit-again": {
    "title": "Making an edit again",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "An edit that is not what you wanted can be made again with changes, at half price."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "how",
        "title": "How",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Open the edit under 'My Edits' with 'Show Edits', or on the page of its order."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press 'Change this edit' below the edit."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Change it: press 'Change moments' to swap, lock or ban moments, or 'Surprise me' there for others; or 'Change options' for another text, length, intro or outro."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press 'Submit for Editing' and pay."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "When the new edit is ready, it shows before and after side by side. The edit before stays as it is."
              }
            ]
          }
        ]
      },
      {
        "id": "what-it-costs",
        "title": "What it costs",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Half of what the edit costs today, rounded up to a whole token. If you cancel the order before its work begins, or the new edit fails, you get back what you paid, and half price is yours again."
              }
            ]
          }
        ]
      },
      {
        "id": "when",
        "title": "When",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": false,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Within 7 days after the edit was delivered, and once for each edit."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "From the same video, in the same format. The video must still be on the server."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Not for an edit that was made again itself: order that at the full price with 'More edits of this video'."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Change this edit' is missing where there is nothing to change, because the edit has neither options nor moments to choose, and where its tokens were returned."
              }
            ]
          }
        ]
      }
    ]
  },
  "sets-of-edits": {
    "title": "Sets of edits",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "Choose the same edits for every video with one press."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "saving-a-set",
        "title": "Saving a set",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Choose your edits and press 'Save as a set' beside the price. The set keeps them with their options, such as your watermark, under the name that you give it. A name that you have already replaces that set."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Saving and changing sets needs a connection; choosing one does not."
              }
            ]
          }
        ]
      },
      {
        "id": "choosing-a-set",
        "title": "Choosing a set",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Your sets stand above the formats of your next video, with 'Last time', which is what you ordered last for another one. One press chooses all of its edits. What this video cannot have is left out, and the page says why. What you had chosen before comes back with 'Undo'."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Change sets' renames and deletes them. You can have 20."
              }
            ]
          }
        ]
      },
      {
        "id": "more-edits-of-one-video",
        "title": "More edits of one video",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'More edits of this video' on the page of an order, and in the menu of a video under 'My Edits', leads to a further order. It marks what you have already. 'Order again' there chooses the edits of your last order of this video, with their options."
              }
            ]
          }
        ]
      }
    ]
  },
  "sound-edits": {
    "title": "Edits of the sound",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "Four formats work on the sound of a whole video. They never change how long it is, and the sound stays under its picture. The formats of this page come out as loud as networks play them."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "enhanced-audio",
        "title": "Enhanced Audio",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "It takes steady noise off: hiss, hum, fans, the rush of a room. Then it brings what is quiet nearer to what is loud, so that whispering is heard on a phone. The picture is copied as it is wherever every player can show it."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The hum of mains current goes almost wholly. Hiss and fans get much quieter between words, and some of them stays under the words."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "It cannot take away what comes and goes: music, traffic, a dog, another person, echo, wind in the microphone. What was recorded so loud that it crackles stays so. Where a voice is quieter than the noise, words are lost with it. A sound without noise keeps its voices as they are, also of people who talk at once. Chords that follow each other without a pause are partly taken for noise and get quieter."
              }
            ]
          }
        ]
      },
      {
        "id": "denoised-scene",
        "title": "Denoised Scene",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "It takes grain off the picture and the same steady noise off the sound. Fine detail that moves is kept, and a little grain with it. It does not sharpen a picture that is out of focus. A video without sound gets the picture only."
              }
            ]
          }
        ]
      },
      {
        "id": "remove-background-music",
        "title": "Remove Background Music",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "It keeps what both channels of your video have alike, mostly voices in the middle, and turns the rest down. That is why it needs sound in two channels that differ. Many phones and single microphones record one channel, and music from a loudspeaker in the room is in the voices' channels too: then voices and music cannot be told apart. The page says so before you pay, and nothing is charged. While your video is still being measured, the order waits for it."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Music gets quieter, it does not vanish: a singer or a drum in the middle stays, and voices at the side get quieter too. The sound has the same in both channels afterwards. It does not settle whether you may publish the music that is left."
              }
            ]
          }
        ]
      },
      {
        "id": "voice-mask",
        "title": "Voice Mask",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "It gives everyone who speaks in a video one new voice, another one in each video. What is said, how fast and with which accent stays: people who know the speaker well can still recognise that. So can software that compares voices: after it had learned from masked voices, it found the right one of ten people in half of its tries. Do not rely on this edit where a person must stay unknown. A preview is made the same way as the finished edit, with another voice. Music changes with the voices."
              }
            ]
          }
        ]
      },
      {
        "id": "several-audio-tracks",
        "title": "Several audio tracks",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "All edits use one of them: not a silent one, and the one that players take. The check of your video says which. Spatial sound of phones cannot be edited."
              }
            ]
          }
        ]
      },
      {
        "id": "listening-first",
        "title": "Listening first",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Preview' plays some seconds before and after. Your device makes that of 'Voice Mask' where it has the file; the server makes the others, once your video was checked."
              }
            ]
          }
        ]
      }
    ]
  },
  "media-assets": {
    "title": "Intros, outros and logos",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "Keep what you use again under "
          },
          {
            "kind": "link",
            "text": "Media Assets",
            "to": "/media-assets"
          },
          {
            "kind": "text",
            "text": ": intros, outros and logos. Sounds can be kept there too; no edit takes one yet."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "adding-one",
        "title": "Adding one",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Open 'Media Assets' in the 'Account' menu and choose a file: a video of up to 30 minutes, a picture, or a sound of up to 60 minutes. SVG files are not accepted."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Give it a name and press 'Confirm'. You need not wait for the upload."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "It is uploaded like a video: a reload, a crash or a lost connection loses nothing. While it says 'Processing...' it cannot be chosen yet."
              }
            ]
          }
        ]
      },
      {
        "id": "using-one",
        "title": "Using one",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Tube Cut' and 'Uniform Sampling' have lists of intros and outros in their options. Tick what you want and drag it into its order, or use the buttons for up and down. The form shows how long they are together."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Upload a new one' keeps what you have filled in, and comes back with the new one chosen."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The logo of 'Dynamic Watermark' is a PNG with a transparent ground. Its longer side has 128 pixels or more, and it is at most ten times as long as it is high. The form says why another picture cannot be used."
              }
            ]
          }
        ]
      },
      {
        "id": "names-and-deleting",
        "title": "Names and deleting",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "A name can be changed at any time. What you delete leaves the list after 5 seconds, in which you can take it back. While an edit that is paid and not finished needs it, it stays. Finished edits are not changed."
              }
            ]
          }
        ]
      }
    ]
  },
  "downloads": {
    "title": "Downloads, and how long files are kept",
    "lead": [],
    "sections": [
      {
        "id": "getting-your-edits",
        "title": "Getting your edits",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'My Edits' lists all your edits. Search them by name, and filter them by state, date and format. An edit that is finished has a button for each of its files; 'Download all' gives all files of a video as one ZIP file."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Rename' gives a video another name, also without a connection. Files keep the names that they have."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Downloads work only while you are logged in, so a link that leaks is of no use to others. If a download breaks off, start it again: most browsers continue where it stopped."
              }
            ]
          }
        ]
      },
      {
        "id": "you-do-not-have-to-wait",
        "title": "You do not have to wait",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Close the page while your edits are being made. They are on the server, and 'My Edits' shows how far they are when you come back."
              }
            ]
          }
        ]
      },
      {
        "id": "without-a-connection",
        "title": "Without a connection",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'My Edits' opens without a connection and shows what this device has seen last. Press 'Keep on this device' below a file, and it plays and is saved without one; of an order that is kept whole 'Save all' makes one ZIP. In Chrome and Edge a large file that you press for goes on coming when you close the page, except with the app lock or with little room. 'My Account' says how much is kept. Logging out removes it."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Make it now' on the card of a format makes the edit on your own device instead, without a connection and without tokens: it is part of the plan, and once of the trial. When its page closes in the middle, 'Go on' makes the rest. 'My Edits' has it on that device alone, until you remove it or log out. 'Dynamic Watermark' is made so with letters, of a video of up to 90 seconds."
              }
            ]
          }
        ]
      },
      {
        "id": "how-long-files-are-kept",
        "title": "How long files are kept",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Open 'My Account' and look at 'Storage'. It says how long this server keeps videos and edits, and for each video the day on which it goes; 'My Edits' shows the day of each edit. A mail tells you some days before. Download what you want to keep before that day."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "You can delete a video or its edits there at any time. A deleted file cannot be brought back."
              }
            ]
          }
        ]
      },
      {
        "id": "let-videos-go-by-themselves",
        "title": "Let videos go by themselves",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Choose under 'Storage' after how many days a video is deleted. The days count from its last edit. Your finished edits stay. A video without an edit stays too, and so does one with edits that are not paid, not finished or not reviewed. After you change the rule, nothing goes for a day."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'What was deleted' lists what went, when, and why."
              }
            ]
          }
        ]
      },
      {
        "id": "when-your-storage-is-full",
        "title": "When your storage is full",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Every account has room for a certain amount. When it is full, new uploads wait. Delete videos under 'Storage', or discard uploads that you do not want to finish."
              }
            ]
          }
        ]
      }
    ]
  },
  "prices-and-tokens": {
    "title": "Prices and tokens",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "Edits are paid in tokens. A token is one cent: 100 tokens are $1.00."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "what-an-edit-costs",
        "title": "What an edit costs",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Some formats have one price. Others cost by the length of your video, for each minute that has begun: a video of 9 minutes and 10 seconds counts 10 minutes, one of exactly 10 minutes counts 10."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The page shows the price beside each format and the sum below. The price on the order is final. When it depends on the length, the server measures the video first."
              }
            ]
          }
        ]
      },
      {
        "id": "where-tokens-come-from",
        "title": "Where tokens come from",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": false,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "A new account gets 1,000 tokens. They are for trying Onecut and expire after 7 days."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "A subscription brings 1,900 tokens each month for $19. Tokens of a subscription expire after each month."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "You can buy tokens, from 2,000 to 100,000 at a time, or exactly what an order lacks."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "A referral can bring tokens; see "
                },
                {
                  "kind": "link",
                  "text": "Referrals",
                  "to": "/referral-codes"
                },
                {
                  "kind": "text",
                  "text": "."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Tokens that expire first are spent first."
              }
            ]
          }
        ]
      },
      {
        "id": "tokens-that-you-bought",
        "title": "Tokens that you bought",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Tokens that you bought do not expire. To spend them you need an active trial or subscription."
              }
            ]
          }
        ]
      },
      {
        "id": "where-you-see-them",
        "title": "Where you see them",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Your balance is in the Account menu. Press it to see your wallet: what came in, what was spent on which order, and what expires when."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "See also "
              },
              {
                "kind": "link",
                "text": "paying",
                "to": "/help/paying"
              },
              {
                "kind": "text",
                "text": " and "
              },
              {
                "kind": "link",
                "text": "refunds",
                "to": "/help/refunds"
              },
              {
                "kind": "text",
                "text": "."
              }
            ]
          }
        ]
      }
    ]
  },
  "paying": {
    "title": "Paying and receipts",
    "lead": [],
    "sections": [
      {
        "id": "paying-an-order",
        "title": "Paying an order",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "After 'Submit for Editing' the page shows the video, the edits and the exact price. Press the button with the amount to pay it from your wallet. Nothing is charged before you press it."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The page also says when the edits would be ready, counting those that are before yours. It says no time for an edit that this server has hardly made yet, and for one whose faces you look at first."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "If your tokens do not cover the order, one button uses them and pays the rest by card. Your tokens are taken when the card has paid. You can also pay a part now and the rest later. Editing starts when the order is fully paid."
              }
            ]
          }
        ]
      },
      {
        "id": "paying-by-card",
        "title": "Paying by card",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The form for your card belongs to the payment provider and stands in a frame of its own. Your card number never reaches Onecut. A card cannot be charged less than $0.50; if less is missing, the difference is yours as tokens."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "If the page says 'TEST - no money moves', the server is a trial, and nothing is charged."
              }
            ]
          }
        ]
      },
      {
        "id": "when-the-connection-breaks-while-you-pay",
        "title": "When the connection breaks while you pay",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Open the order again. The page asks the server what happened and shows the true state. A payment is never taken twice for the same press: trying again is safe."
              }
            ]
          }
        ]
      },
      {
        "id": "receipts",
        "title": "Receipts",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'My Payments' in the Account menu lists every payment with its receipt as a PDF, in dollars and tokens. An order that was paid has its receipt on its own page too."
              }
            ]
          }
        ]
      },
      {
        "id": "if-a-payment-is-refused",
        "title": "If a payment is refused",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The page says why. Your bank decides, not Onecut: try another card or ask your bank. Your edits and your choice are kept."
              }
            ]
          }
        ]
      }
    ]
  },
  "refunds": {
    "title": "Refunds",
    "lead": [],
    "sections": [
      {
        "id": "an-edit-that-failed",
        "title": "An edit that failed",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Tokens of an edit that fails come back to your wallet by themselves, at once. You can try the edit again once, free of charge, with 'Try again' beside it."
              }
            ]
          }
        ]
      },
      {
        "id": "an-order-that-has-not-started",
        "title": "An order that has not started",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Until the work has started, 'Cancel order' on the page of the order gives back every token that was paid for it."
              }
            ]
          }
        ]
      },
      {
        "id": "tokens-that-you-do-not-want",
        "title": "Tokens that you do not want",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Within 14 days after a payment you can give its unused tokens back for their whole price:"
              }
            ]
          },
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Open 'My Payments' in the Account menu."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press 'Give Tokens Back' beside the payment."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Confirm. The page shows how many tokens and how much money."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The money goes back to the card that paid, usually within a few days. If the payment was for a subscription, the subscription ends at once, and you can subscribe again."
              }
            ]
          }
        ]
      },
      {
        "id": "an-edit-that-you-do-not-like",
        "title": "An edit that you do not like",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "You can "
              },
              {
                "kind": "link",
                "text": "make it again",
                "to": "/help/making-an-edit-again"
              },
              {
                "kind": "text",
                "text": " with changes, at half price. Tokens that were spent on a finished edit do not come back by themselves. Write to support if an edit is not what its description says."
              }
            ]
          }
        ]
      }
    ]
  },
  "subscription": {
    "title": "Your subscription",
    "lead": [],
    "sections": [
      {
        "id": "what-it-is",
        "title": "What it is",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The Creator Plan costs $19 a month and brings 1,900 tokens each month. It also lets you order edits after the trial. You can cancel at any time."
              }
            ]
          }
        ]
      },
      {
        "id": "cancelling",
        "title": "Cancelling",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Open 'My Subscriptions' in the Account menu and choose your subscription."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press 'Cancel Subscription' and confirm."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The subscription then runs to the end of the month that you have paid, and is not billed again. Until then 'Keep my subscription' on the same page takes it back."
              }
            ]
          }
        ]
      },
      {
        "id": "when-a-payment-fails",
        "title": "When a payment fails",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The page of the subscription says 'Payment problem' and until when you can still order and spend tokens. Press 'Update card' there, or wait: the payment is tried again for some days."
              }
            ]
          }
        ]
      },
      {
        "id": "what-happens-to-tokens",
        "title": "What happens to tokens",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Tokens of the subscription expire a day after their month. Tokens that you bought do not expire, but spending them needs an active subscription or trial."
              }
            ]
          }
        ]
      },
      {
        "id": "without-a-subscription",
        "title": "Without a subscription",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "You can still log in, see and download your finished edits, read your receipts and delete your account. Only ordering needs it."
              }
            ]
          }
        ]
      }
    ]
  },
  "signing-in": {
    "title": "Logging in, passkeys and devices",
    "lead": [],
    "sections": [
      {
        "id": "without-a-password",
        "title": "Without a password",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Onecut sends you a mail with a link and a code of six digits. Press the link, or type the code on the page where you asked for it. Both are valid for 10 minutes."
              }
            ]
          }
        ]
      },
      {
        "id": "the-mail-does-not-come",
        "title": "The mail does not come",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": false,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Look into the spam folder."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Check the address for a typing error."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Wait a minute before you ask again. Some mail services are slow."
                }
              ]
            ]
          }
        ]
      },
      {
        "id": "the-code-is-not-accepted",
        "title": "The code is not accepted",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "A code works only in the browser that asked for it, and only for 10 minutes. Ask for a new one if it is older. After some wrong tries a code stops working."
              }
            ]
          }
        ]
      },
      {
        "id": "passkeys",
        "title": "Passkeys",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "A passkey logs you in with the lock of your device: a fingerprint, a face or its PIN. Add one under 'My Account'. Your fingerprint never leaves the device. Logging in by mail always remains possible."
              }
            ]
          }
        ]
      },
      {
        "id": "devices",
        "title": "Devices",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Devices' under 'My Account' lists where you are logged in. Sign out one device, or all others at once, if you do not know one of them. You get a mail when a new device logs in."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "A device logs in again after some time, 90 days unless the operator chose otherwise. Unfinished uploads wait for you."
              }
            ]
          }
        ]
      }
    ]
  },
  "messages": {
    "title": "Messages on your devices",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "Your phone or computer can tell you when your edits are ready, also while Onecut is closed. That is beside our mails, and off until you switch it on. Where a server of Onecut sends no such messages, there is no switch."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "switch-it-on",
        "title": "Switch it on",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Press 'Tell me on this device when they are ready' below edits that are being made, or tick 'Tell me on this device' on 'Your Account'. Your browser then asks whether Onecut may send notifications. Each device is switched on by itself."
              }
            ]
          }
        ]
      },
      {
        "id": "what-comes",
        "title": "What comes",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": false,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Edits of an order are ready."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "An edit waits for your look at its faces."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "An upload has stopped for a day."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "A payment did not go through."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Choose which of them under 'Messages on your devices'. One thing is told once, and not at all while you look at the page that shows it. Messages name no video and no edit, because they show on a locked screen."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Where the browser can, the icon of the installed app has the number of messages that you have not looked at. It goes when you open 'My Edits'."
              }
            ]
          }
        ]
      },
      {
        "id": "on-iphone-and-ipad",
        "title": "On iPhone and iPad",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Only the app on the Home Screen gets messages: open the share menu of your browser, choose 'Add to Home Screen', open Onecut from there and switch them on. There a message comes also while its page is open."
              }
            ]
          }
        ]
      },
      {
        "id": "nothing-comes",
        "title": "Nothing comes",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "If the browser said no once, Onecut cannot ask again: allow notifications for this site in the settings of your browser, and in those of the system. Private windows get none."
              }
            ]
          }
        ]
      },
      {
        "id": "switch-it-off",
        "title": "Switch it off",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Untick 'Tell me on this device'. Logging out ends it too, and a device that was signed out from elsewhere gets nothing any more."
              }
            ]
          }
        ]
      }
    ]
  },
  "discreet": {
    "title": "Staying discreet",
    "lead": [
      {
        "kind": "paragraph",
        "words": [
          {
            "kind": "text",
            "text": "Who looks at your screen, your inbox or your folders need not learn what you do. 'Discreet' on 'Your Account' has two switches."
          }
        ]
      }
    ],
    "sections": [
      {
        "id": "on-this-device",
        "title": "On this device",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Tick 'Call it “Planner” on this device'. Tabs, messages and the list of open apps then show that name and a plain icon, and the screen is covered while you are elsewhere. Most phones take their small picture of an app after that; no web page can promise it."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Lists show small mosaics in the place of pictures of your videos, and this device stores nothing more of them. Press one to see the picture. It is not kept, and it goes when you leave the page. Files that you keep on the device, and pages on which you work on a video, are shown as they are."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Choose it before you install the app. One that is installed keeps its name and icon: remove it, open the page in the browser, and install it again. The choice is of this device, for all who use it here."
              }
            ]
          }
        ]
      },
      {
        "id": "scenes-that-you-hide",
        "title": "Scenes that you hide",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "With the app lock of 'Your Account' on, 'Hide on this device' in the menu of a scene takes it out of all lists and searches of this device. 'Show hidden' below your edits asks for the passkey, and shows hidden scenes until you press 'Done' or look elsewhere. There you also put them back. Taking the lock off shows them all again. Mails and messages of such a scene still come."
              }
            ]
          }
        ]
      },
      {
        "id": "in-what-we-send-and-name",
        "title": "In what we send and name",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Tick 'Plain words in mails and messages, and plain file names'. It counts for all your devices:"
              }
            ]
          },
          {
            "kind": "list",
            "isOrdered": false,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Each mail comes as 'A message for you'. What it is about stands inside."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Messages on your devices say that something is waiting for you."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Edits that are made from then on are called like clip-0412-1.mp4, also in archives and in your drive. Files that you have keep their names."
                }
              ]
            ]
          }
        ]
      },
      {
        "id": "what-stays",
        "title": "What stays",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The front page, the address of the site, who sends the mails, and what the statement of your card says."
              }
            ]
          }
        ]
      }
    ]
  },
  "privacy": {
    "title": "Privacy and safety of your videos",
    "lead": [],
    "sections": [
      {
        "id": "who-can-see-your-videos",
        "title": "Who can see your videos",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Only you. Videos and edits belong to your account, and every download asks whether you are logged in. Onecut does not publish them and trains no models with them."
              }
            ]
          }
        ]
      },
      {
        "id": "what-happens-on-your-device",
        "title": "What happens on your device",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Your device checks a video and makes previews by itself. None of it leaves the device until you start the upload. Previews that the server makes are deleted after a day, or with the video."
              }
            ]
          }
        ]
      },
      {
        "id": "what-happens-on-the-server",
        "title": "What happens on the server",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Each video is opened by a program that is locked in: it sees that one file, no other files, and no network. This protects your video and the server from files that were made to do harm."
              }
            ]
          }
        ]
      },
      {
        "id": "what-we-store-about-you",
        "title": "What we store about you",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Your e-mail address is your account. There is no password. There are no trackers and no advertising. The "
              },
              {
                "kind": "link",
                "text": "privacy policy",
                "to": "/privacy-policy"
              },
              {
                "kind": "text",
                "text": " lists everything."
              }
            ]
          }
        ]
      },
      {
        "id": "a-shared-or-borrowed-device",
        "title": "A shared or borrowed device",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Log out when you are done. Logging out deletes everything of your account from that device: lists, pictures, drafts and edits that the device made. An upload that has not finished on that device is discarded; the app asks first."
              }
            ]
          }
        ]
      },
      {
        "id": "if-a-device-is-lost",
        "title": "If a device is lost",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Log in elsewhere, open 'My Account' and sign the lost device out under 'Devices'."
              }
            ]
          }
        ]
      },
      {
        "id": "take-your-data-along",
        "title": "Take your data along",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "'Download my data' under 'My Account' gives you one ZIP file with everything that is stored about you. Your videos are named in it, not included."
              }
            ]
          }
        ]
      }
    ]
  },
  "reporting": {
    "title": "Reporting a video or a problem",
    "lead": [],
    "sections": [
      {
        "id": "something-does-not-work",
        "title": "Something does not work",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Open 'Help' at the foot of any page and press 'Copy a report for support'."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Paste it into a mail to the support address below, and say what you wanted to do."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The report lists what the app recently did on this device. It holds no mail address and no names of your files."
              }
            ]
          }
        ]
      },
      {
        "id": "a-video-shows-you-without-your-consent",
        "title": "A video shows you without your consent",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Fill in the "
              },
              {
                "kind": "link",
                "text": "form for reports",
                "to": "/report"
              },
              {
                "kind": "text",
                "text": ". You need no account. Say which video it is, as exactly as you can, who you are to it and how we reach you. You get a receipt number. We look at a report within 48 hours and decide within 7 days."
              }
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "While a video is on hold, no edit of it can be made, downloaded or ordered. Tokens of unfinished edits come back to the wallet."
              }
            ]
          }
        ]
      },
      {
        "id": "another-person-uses-your-account",
        "title": "Another person uses your account",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "Log in, open 'My Account', sign out all other devices and remove passkeys that are not yours. Then write to support."
              }
            ]
          }
        ]
      },
      {
        "id": "what-we-expect-of-you",
        "title": "What we expect of you",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "You may upload a video only if everyone in it is at least 18, agreed to be filmed and agreed to the editing, and if it is yours. You confirm it at the first order of each video. The "
              },
              {
                "kind": "link",
                "text": "content policy",
                "to": "/content-policy"
              },
              {
                "kind": "text",
                "text": " and the "
              },
              {
                "kind": "link",
                "text": "terms",
                "to": "/terms-of-use"
              },
              {
                "kind": "text",
                "text": " say so in full."
              }
            ]
          }
        ]
      }
    ]
  },
  "deleting-your-account": {
    "title": "Deleting your account",
    "lead": [],
    "sections": [
      {
        "id": "before-you-delete-it",
        "title": "Before you delete it",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": false,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Download the edits that you want to keep."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Give back unused tokens that you bought in the last 14 days; see "
                },
                {
                  "kind": "link",
                  "text": "refunds",
                  "to": "/help/refunds"
                },
                {
                  "kind": "text",
                  "text": ". Tokens that are left are lost."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press 'Download my data' if you want a copy of what is stored about you."
                }
              ]
            ]
          }
        ]
      },
      {
        "id": "how-to-delete-it",
        "title": "How to delete it",
        "blocks": [
          {
            "kind": "list",
            "isOrdered": true,
            "items": [
              [
                {
                  "kind": "text",
                  "text": "Open 'My Account' in the Account menu."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Press 'Delete my account'."
                }
              ],
              [
                {
                  "kind": "text",
                  "text": "Type the address of your account and confirm."
                }
              ]
            ]
          },
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "You are signed out everywhere at once, and a subscription is cancelled and not billed again."
              }
            ]
          }
        ]
      },
      {
        "id": "14-days-to-come-back",
        "title": "14 days to come back",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "For 14 days, logging in keeps the account with everything in it. After that your videos, edits and address are deleted for good."
              }
            ]
          }
        ]
      },
      {
        "id": "what-stays",
        "title": "What stays",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "The records of tokens and payments stay, without your address, because the law asks for them. A new account with the same address starts without free tokens."
              }
            ]
          }
        ]
      },
      {
        "id": "deleting-only-a-video",
        "title": "Deleting only a video",
        "blocks": [
          {
            "kind": "paragraph",
            "words": [
              {
                "kind": "text",
                "text": "You do not need to delete the account for that: 'Storage' under 'My Account' deletes single videos or their edits at once."
              }
            ]
          }
        ]
      }
    ]
  }
}
