from tests.games.cinquante_cinq.test_55_browser import *
def test_dbg(browser_page, site):
    for _ in range(20):
        match = Match(site, 3)
        page = browser_page(match.to("play", cards=1), size=PHONE)
        page.goto(match.path)
        if page.locator(".h.no").count(): break
    refused = page.locator(".h.no").first
    refused.locator("button").click(force=True)
    page.wait_for_timeout(300)
    print(page.evaluate("[document.activeElement.outerHTML.slice(0,200), scrollY, JSON.stringify(document.querySelector('.h.no').getBoundingClientRect()), JSON.stringify(document.querySelector('.act').getBoundingClientRect()), getComputedStyle(document.querySelector('.h.no .why')).display, JSON.stringify(document.querySelector('.h.no .why').getBoundingClientRect())]"))
    page.screenshot(path='/tmp/cinq55/dbg.png')
