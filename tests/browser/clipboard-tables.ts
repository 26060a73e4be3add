/**
 * Cells as Excel for Windows puts them into the clipboard: looks in a style sheet, `x:num`, hidden rows for its own
 * use.
 */
export const fromExcel = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40"><head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=Excel.Sheet>
<style><!--table {mso-displayed-decimal-separator:"\\,"; mso-displayed-thousand-separator:"\\.";}
tr {mso-height-source:auto;} col {mso-width-source:auto;} br {mso-data-placement:same-cell;}
td {padding-top:1px; color:black; font-size:11.0pt; font-weight:400; font-style:normal; text-align:general; vertical-align:bottom; white-space:nowrap;}
.xl65 {font-weight:700; background:#DDEBF7; mso-pattern:black none;}
.xl66 {mso-number-format:"\\#\\,\\#\\#0\\.00"; text-align:center;}
--></style></head><body link="#0563C1" vlink="#954F72">
<table border=0 cellpadding=0 cellspacing=0 width=192 style='border-collapse:collapse;width:144pt'><!--StartFragment-->
 <col width=64 span=3 style='width:48pt'>
 <tr height=20 style='height:15.0pt'><td height=20 class=xl65 width=64 style='height:15.0pt;width:48pt'>City</td>
  <td class=xl65 width=64 style='width:48pt'>Sales</td><td class=xl65 width=64 style='width:48pt'>Note</td></tr>
 <tr height=20 style='height:15.0pt'><td height=20 style='height:15.0pt'>Oslo</td>
  <td class=xl66 x:num="1200.5">1.200,50</td><td>first<br>second</td></tr>
 <tr height=20 style='height:15.0pt'><td height=20 style='height:15.0pt'>Rome &amp; Pisa</td><td class=xl66 x:num>7,00</td><td></td></tr>
 <![if supportMisalignedColumns]><tr height=0 style='display:none'><td width=64 style='width:48pt'></td><td width=64></td><td width=64></td></tr><![endif]>
<!--EndFragment--></table></body></html>`

/** One cell as Excel copies it: a table of one cell. */
export const cellFromExcel = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body>
<table border=0 cellpadding=0 cellspacing=0 width=64><!--StartFragment--> <col width=64 style='width:48pt'>
 <tr height=20 style='height:15.0pt'><td height=20 width=64 style='height:15.0pt;width:48pt'>alone</td></tr>
<!--EndFragment--></table></body></html>`

/** Cells as Google Sheets puts them into the clipboard: looks in the style of each cell. */
export const fromSheets = `<meta charset='utf-8'><meta name="generator" content="Sheets"/><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style>
<table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" border="1" style="table-layout:fixed;font-size:10pt;font-family:Arial;width:0px;border-collapse:collapse;border:none" data-sheets-root="1" data-sheets-baot="1"><colgroup><col width="100"/><col width="140"/></colgroup><tbody>
<tr style="height:21px;"><td style="overflow:hidden;padding:2px 3px 2px 3px;vertical-align:bottom;font-weight:bold;">Name</td><td style="overflow:hidden;padding:2px 3px;font-weight:bold;text-align:right;">Share</td></tr>
<tr style="height:21px;"><td style="overflow:hidden;padding:2px 3px;">Ana</td><td style="overflow:hidden;padding:2px 3px;text-align:right;" data-sheets-value="{&quot;1&quot;:3,&quot;3&quot;:0.4}">40%</td></tr>
<tr style="height:21px;"><td style="overflow:hidden;padding:2px 3px;font-style:italic;text-decoration:line-through;">Ben</td><td style="overflow:hidden;padding:2px 3px;text-align:right;">60%</td></tr></tbody></table>`

/** A table of Word that repeats its first row on every page. */
export const fromWordTable = `<html xmlns:w="urn:schemas-microsoft-com:office:word"><body lang=EN-GB><!--StartFragment-->
<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;border:none;mso-yfti-tbllook:1184'>
<thead><tr style='mso-yfti-irow:0;mso-yfti-firstrow:yes'><td width=200 valign=top style='width:150pt'><p class=MsoNormal><b>Part<o:p></o:p></b></p></td>
<td width=200 style='width:150pt'><p class=MsoNormal align=center style='text-align:center'><b>Due<o:p></o:p></b></p></td></tr></thead>
<tr style='mso-yfti-irow:1'><td rowspan=2><p class=MsoNormal>Draft<o:p></o:p></p></td><td><p class=MsoNormal align=center style='text-align:center'>May<o:p></o:p></p></td></tr>
<tr style='mso-yfti-irow:2;mso-yfti-lastrow:yes'><td><p class=MsoNormal><o:p>&nbsp;</o:p></p></td></tr></table><!--EndFragment--></body></html>`
