import { chromium } from 'playwright-core';
const lang=process.argv[2], width=+process.argv[3], dark=process.argv[4]==='dark';
const b=await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell'});
const c=await b.newContext({viewport:{width,height:900},locale:lang==='de'?'de-DE':'en-GB',colorScheme:dark?'dark':'light'});
const p=await c.newPage(); p.on('console',m=>m.type()==='error'&&console.log('ERR',m.text())); p.on('pageerror',e=>console.log('PE',e.message));
await p.route('**/account/browse*', async (route)=>{ const r=await route.fetch(); const j=await r.json(); (j.data?.items??[]).forEach((it,i)=>{ if(i%6===1&&!it.password_set) it.code_expires_at='2026-11-27T10:00:00Z'; if(i%6===3) { it.password_set=true; if(i%12===3) it.lastActivity='2026-11-28T10:00:00';} }); await route.fulfill({response:r,json:j}); });
const base=`http://localhost:3905/api/core/admin?language=${lang}`;
await p.goto(base); 
await p.locator('input[name=username]').fill('admin'); await p.locator('input[type=password]').fill('Veranda-Kessel-41'); await p.keyboard.press('Enter');
await p.locator('table.people').waitFor();
let n=0; const shot=async(name,full=true)=>p.screenshot({path:`/tmp/shots-e/${lang}-${width}${dark?'-dark':''}-${++n}-${name}.png`,fullPage:full});
await p.waitForTimeout(400); await shot('people',false);
const over=async(w)=>{const s=await p.evaluate('document.documentElement.scrollWidth'); if(s>width) console.log('OVERFLOW',w,s)};
await over('people');
const D=p.getByRole('dialog');
await p.locator('thead input[type=checkbox]').first().check(); await p.waitForTimeout(500); await shot('selected',false);
await p.locator('.bulk button').first().click(); await p.locator('.bulk button',{hasText:lang==='de'?'Sperren':'Lock'}).first().waitFor(); await p.waitForTimeout(700); await shot('all',false); await over('all');
const act=async(i,name,f)=>{ await p.locator('.bulk [aria-haspopup=dialog]').nth(i).click(); await p.waitForTimeout(600); if(f) await f(); await p.waitForTimeout(500); await shot(name,false); await over(name); };
await act(0,'lock', async()=>{ await D.locator('select[name=end]').selectOption('other'); });
for(let k=0;k<4 && await D.count();k++){await p.keyboard.press('Escape');await p.waitForTimeout(150);}
await act(2,'cancel'); for(let k=0;k<4 && await D.count();k++){await p.keyboard.press('Escape');await p.waitForTimeout(150);}
await act(3,'role', async()=>{ await D.locator('input[role=combobox]').fill('adm'); await p.waitForTimeout(300); await shot('rolelist',false); await p.keyboard.press('Enter'); });
for(let k=0;k<4 && await D.count();k++){await p.keyboard.press('Escape');await p.waitForTimeout(150);}
await act(3,'role2', async()=>{ await D.locator('input[role=combobox]').fill('approver'); await p.waitForTimeout(300); });
for(let k=0;k<4 && await D.count();k++){await p.keyboard.press('Escape');await p.waitForTimeout(150);}
await act(5,'codes');
await D.locator('button[type=submit]').click(); await D.locator('code').first().waitFor({timeout:60000}); await p.waitForTimeout(500); await shot('codesdone',false); await over('codesdone');
await D.locator('.row.end button').last().click(); await p.waitForTimeout(200); await shot('warn',false); await D.locator('.row.end button').last().click();
await p.waitForTimeout(300);
// role report
await p.locator('tbody input[type=checkbox]').nth(1).check().catch(()=>{}); await p.locator('tbody input[type=checkbox]').nth(2).check().catch(()=>{});await p.locator('tbody input[type=checkbox]').nth(4).check().catch(()=>{});
await p.waitForTimeout(300);
await act(3,'x', async()=>{ await D.locator('input[role=combobox]').fill('auditor'+Date.now()%1000); await p.waitForTimeout(300); });
await D.locator('button[type=submit]').click(); await p.waitForTimeout(2500); await shot('report',false); await over('report');
await D.locator('.row.end button').last().click();
await p.goto(base+'#invite'); await p.waitForTimeout(600); await p.locator('main summary').first().click(); await p.waitForTimeout(300); await shot('invite'); await over('invite');
await p.locator('input[name=user_first_name]').fill('Zoë'); await p.locator('input[name=user_last_name]').fill('Weiß'); await p.locator('input[name=username]').fill('zoe.'+lang+width+Date.now()%100000);
await p.locator('main button[type=submit]').click(); await D.locator('[name=secret]').waitFor(); await p.waitForTimeout(400); await shot('invitation',false); await over('invitation');
await b.close();
