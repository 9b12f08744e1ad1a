/** Jeddah. Row: `id|slug|name_ar|direction|lat,lng|other spellings`, as `../gazetteer.ts` reads it. */
export const JEDDAH = `
2001|al_shati|الشاطئ|N|21.600,39.113|الشاطىء;Ash Shatee;Al Shatea
2002|al_zahra|الزهراء|N|21.590,39.130|Al Zahraa
2003|al_nahdah|النهضة|N|21.620,39.127|Al Nahda
2004|al_naim|النعيم|N|21.628,39.144|Al Naeem
2005|al_salamah|السلامة|N|21.590,39.152|Al Salama
2006|al_bawadi|البوادي|N|21.600,39.168|Al Buwadi
2007|al_safa|الصفا|N|21.585,39.211|
2008|al_marwah|المروة|N|21.618,39.200|Al Marwa
2009|al_faisaliyah|الفيصلية|N|21.572,39.184|Al Faisaliah
2010|al_rabwah|الربوة|N|21.600,39.185|Al Rabwa
2011|al_rawdah|الروضة|N|21.565,39.155|Al Rawda
2012|al_khalidiyah|الخالدية|N|21.560,39.135|Al Khaldiyah
2013|al_andalus|الأندلس|N|21.538,39.142|Al Andalous
2014|al_hamra|الحمراء|W|21.527,39.164|Al Hamraa
2015|al_ruwais|الرويس|C|21.515,39.171|Al Ruwais;Al Rowais
2016|al_sharafiyah|الشرفية|C|21.520,39.187|Al Sharafia
2017|al_aziziyah|العزيزية|C|21.553,39.190|Al Aziziya
2018|mushrifah|مشرفة|C|21.538,39.195|Moshrefah;Musharifah;Mishrifah
2019|al_rihab|الرحاب|C|21.552,39.225|Al Rehab
2020|al_naseem|النسيم|C|21.519,39.231|Al Nasim
2021|al_fayha|الفيحاء|C|21.500,39.218|Al Faiha
2022|al_sulaymaniyah|السليمانية|E|21.506,39.248|Al Sulaimaniyah
2023|al_waha|الواحة|E|21.557,39.245|Al Wahah
2024|al_samer|السامر|E|21.582,39.245|Al Samir
2025|al_manar|المنار|E|21.602,39.236|
2026|al_ajwad|الأجواد|E|21.603,39.257|Al Ajwad
2027|al_hamdaniyah|الحمدانية|N|21.755,39.194|Al Hamadaniyah;Al Hamdania
2028|al_falah|الفلاح|N|21.781,39.189|
2029|al_rahmaniyah|الرحمانية|N|21.793,39.216|Al Rahmania
2030|al_salhiyah|الصالحية|N|21.763,39.223|Al Salehiyah
2032|taybah|طيبة|N|21.804,39.140|Taiba
2033|al_riyadh|الرياض|N|21.860,39.180|
2034|al_basatin|البساتين|N|21.684,39.116|Al Basateen
2035|al_muhammadiyah|المحمدية|N|21.649,39.124|Al Mohammadiyah;Al Mohammadiya
2036|al_murjan|المرجان|N|21.686,39.100|Al Morjan;Al Marjan
2037|abhur_al_shamaliyah|أبحر الشمالية|N|21.744,39.104|Obhur Al Shamaliyah;North Obhur;Abhur Ash Shamaliyah;Obhur North;Obhur Al Shamaliah
2038|abhur_al_janubiyah|أبحر الجنوبية|N|21.735,39.131|Obhur Al Janubiyah;South Obhur;Abhur Al Janubiyah;Obhur South;Obhur Al Janoubiyah;Obhur Al Junoobiah
2039|al_yaqut|الياقوت|N|21.783,39.080|Al Yaqoot
2040|al_zumurrud|الزمرد|N|21.799,39.056|Al Zomorod;Az Zomorod;Al Zumorrud
2041|al_lulu|اللؤلؤ|N|21.767,39.061|Al Loaloa;Al Lulu;Al Loloa;Al Luwlu
2042|al_firdaws|الفردوس|N|21.781,39.118|Al Firdous;Al Ferdous;Al Fardoos
2044|al_amwaj|الأمواج|N|21.749,39.073|
2045|al_shiraa|الشراع|N|21.765,39.095|Al Sheraa;Ash Shira
2046|al_sawari|الصواري|N|21.800,39.100|Al Sawari
2047|al_nur|النور|N|21.860,39.067|Al Noor;Al Nour
2048|al_marsa|المرسى|N||Al Marsa
2049|al_bahirat|البحيرات|N|21.830,39.039|Al Buhayrat;Al Bouhairat;Madinat Al Bohairat
2050|al_taawun|التعاون|N|21.353,39.270|
2051|al_wafa|الوفاء|N|21.842,39.232|
2052|al_kawthar|الكوثر|N|21.727,39.207|Al Kawther
2053|al_rayyan|الريان|N|21.686,39.210|Al Rayan;Al Rayaan
2054|bryman|بريمان|N|21.646,39.244|Briman;Buraiman;Bremen
2055|al_asalah|الأصالة|N|21.778,39.155|
2056|al_safwah|الصفوة|N|21.888,39.218|Al Safwa
2057|al_shuruq|الشروق|N|21.568,39.290|Al Shorouq
2058|al_hijaz|الحجاز|N|21.801,39.253|Al Hejaz
2059|al_furusiyah|الفروسية|S|21.822,39.204|Al Forousiya;Al Frosyah
2060|al_ajawid|الأجاويد|S|21.403,39.310|Al Ajaweed
2061|al_sanabil|السنابل|S|21.391,39.273|Al Sanabel
2062|al_huda|الهدى|S|21.373,39.304|
2063|al_khumrah|الخمرة|S|21.353,39.246|Al Khomrah
2064|al_wazeeriyah|الوزيرية|S|21.444,39.232|Al Waziriyah;Al Waziriya
2065|al_thaghr|الثغر|S|21.480,39.228|Al Thagher
2066|al_jamiah|الجامعة|S|21.475,39.252|Al Jamea;Al Jamiaa
2067|al_adl|العدل|S|21.445,39.293|Al Adel
2068|al_amir_fawaz_al_shamali|الأمير فواز الشمالي|S|21.435,39.301|Prince Fawaz North;North Prince Fawaz;Al Ameer Fawaz Al Shamaly
2069|al_amir_fawaz_al_janubi|الأمير فواز الجنوبي|S|21.425,39.290|Prince Fawaz South;South Prince Fawaz;Al Ameer Fawaz Al Janouby
2070|al_amir_abdulmajid|الأمير عبدالمجيد|S|21.421,39.274|Prince Abdul Majeed;Prince Abdulmajeed;Al Amir Abdulmajeed;Al Ameer Abdulmajeed
2072|al_nuzlah_al_yamaniyah|النزلة اليمانية|C|21.469,39.210|Al Nazlah Al Yamaniyah;An Nazlah Al Yamaniyah
2073|al_nuzlah_al_sharqiyah|النزلة الشرقية|C|21.473,39.221|Al Nazlah Al Sharqiyah;An Nazlah Ash Sharqiyah
2074|ghulail|غليل|S|21.453,39.205|Ghulayl;Ghuleil
2075|petromin|بترومين|S|21.444,39.180|Betromin;Petromeen
2076|al_mahjar|المحجر|S|21.428,39.204|Al Mahjer
2077|madain_al_fahd|مدائن الفهد|S|21.460,39.239|Madayen Al Fahad;Madain Al Fahad
2078|al_quraiyat|القريات|S|21.464,39.199|Al Qurayat;Al Qurayyat
2079|al_sabeel|السبيل|C|21.481,39.201|As Sabil
2080|al_hindawiyah|الهنداوية|C|21.475,39.180|Al Hindawiya
2081|al_balad|البلد|C|21.485,39.187|Al Balad;البلد التاريخية
2082|al_sahifah|الصحيفة|C|21.488,39.196|As Sahifah
2083|al_kandarah|الكندرة|C|21.492,39.202|Al Kandara
2084|al_baghdadiyah_al_gharbiyah|البغدادية الغربية|C|21.499,39.178|West Al Baghdadiyah;Al Baghdadiyah West;Al Baghdadia Al Gharbia
2085|al_baghdadiyah_al_sharqiyah|البغدادية الشرقية|C|21.500,39.192|East Al Baghdadiyah;Al Baghdadiyah East;Al Baghdadia Al Sharqia
2086|al_ammariyah|العمارية|C|21.490,39.192|Al Amariyah
2087|bani_malik|بني مالك|C|21.532,39.219|Bani Malek
2088|al_wurud|الورود|C|21.515,39.205|Al Woroud;Al Wuroud
2089|al_thaalibah|الثعالبة|C|21.465,39.186|Al Thaaliba
2091|quwaizah|قويزة|E||Quwaiza;Qouizah;Gowaizah
2092|al_rawabi|الروابي|E|21.470,39.268|
2093|al_muntazahat|المنتزهات|E|21.467,39.289|Al Montazahat;Al Muntazah
2094|umm_al_salam|أم السلم|E|21.461,39.326|Um Al Salam;Umm As Salam;ام السلام;Um Assalum
2095|al_harazat|الحرازات|E|21.505,39.402|Al Harazat;Al Haramain
2096|al_tawfiq|التوفيق|E||Al Tawfeeq
2097|al_nakheel|النخيل|E|21.533,39.265|Al Nakhil
2098|king_abdulaziz_university|جامعة الملك عبدالعزيز|C|21.495,39.245|KAU;King Abdul Aziz University
2099|al_rughamah|الرغامة|E|21.501,39.287|Al Raghama;Al Raghamah;Abruq Al Rughamah;أبرق الرغامة
2100|airport|مطار الملك عبدالعزيز الدولي|N|21.702,39.164|المطار;King Abdulaziz International Airport;Airport
2102|al_fadilah|الفضيلة|S|21.307,39.276|Al Fadeylah;Al Fadila
2103|al_rahmah|الرحمة|S|21.272,39.309|
2104|al_qawzayn|القوزين|S|21.253,39.169|Al Qouzeen;Al Qozeen
2105|al_sarooriyah|السرورية|S|21.391,39.212|Al Sarawriyah;Al Sarouriyah
2108|al_wadi|الوادي|N|21.307,39.172|
2109|al_mraykh|مريخ|N|21.540,39.311|Mraykh;Meraikh;Mirrikh;Miriykh
2110|al_ghadir|الغدير|N|21.927,39.050|Al Ghadeer
2111|al_mahamid|المحاميد|S|21.452,39.400|Al Mahameed
2112|al_tadamun|التضامن|S|21.341,39.304|Al Tadamon
2113|al_durrah|الدرة|N|21.955,39.030|درة العروس;Durrat Al Arus;Durat Al Arous
2114|dahaban|ذهبان|N|21.935,39.113|Thahban;Dhahban
2115|al_bashair|البشائر|N|21.804,39.175|Al Bashaer
2116|al_nuzha|النزهة|N|21.625,39.167|Al Nozha
2118|al_nada|الندى|N||Al Nada
2120|al_mursalat|المرسلات|N|21.410,39.399|
2121|al_barakah|البركة|S|21.263,39.283|Al Baraka
2122|al_montazah|المنتزه|E|21.596,39.284|
2125|industrial_area|المدينة الصناعية|S|21.401,39.236|Industrial City
2126|umm_hablayn_al_gharbiyah|أم حبلين الغربية|N|21.710,39.238|Umm Hablain Al Gharbia;Um Hableen Al Gharbiyyah
2127|umm_hablayn_al_sharqiyah|أم حبلين الشرقية|N|21.744,39.277|Umm Hablain Al Sharqia;Um Hableen Al Sharqiyyah
2128|al_faruq|الفاروق|S|21.450,39.269|Al Farouk
2129|al_shifa|الشفا|S|21.380,39.334|Al Shefaa
2130|al_karamah|الكرامة|S|21.304,39.309|
2131|al_masarrah|المسرة|S|21.268,39.246|Al Masarah
2132|al_mulaysa|المليساء|S|21.259,39.210|Al Moulysaa
2133|al_sarawat|السروات|S|21.350,39.212|
2134|al_dahiyah|الضاحية|S|21.307,39.211|Al Dahiah
2135|al_qurayniyah|القرينية|S|21.306,39.246|Al Qryniah;Al Qurainiah
2136|al_sahil|الساحل|S|21.300,39.131|
2137|al_jawharah|الجوهرة|S|21.431,39.251|Al Jawhara
2138|al_fadl|الفضل|S|21.433,39.327|Al Fadel
2139|bahrah|بحرة|E|21.408,39.468|Bahra
2140|al_fanar|الفنار|N|21.830,39.069|
2141|al_sahl|السهل|E|21.372,39.445|
2142|al_manarat|المنارات|N|21.832,39.098|
2143|al_rabi|الربيع|N|21.941,38.986|Al Rabie
2144|al_mustaqbal|المستقبل|S|21.332,39.364|
2145|al_najmah|النجمة|N|21.896,39.068|Al Najma
2146|al_qaws|القوس|E|21.528,39.359|Al Qus
2147|al_talal|التلال|E|21.645,39.291|Al Tilal
2148|al_muruj|المروج|N|21.871,38.991|Al Morouj;Al Morouj Scheme
2149|al_khalij|الخليج|N|21.881,39.040|Al Khaleej
2150|al_zuhur|الزهور|N|21.895,39.105|Al Zohour
2151|al_asla|العسلاء|E|21.608,39.312|
2152|al_aqiq|العقيق|N|21.943,39.083|Al Aqeeq
2153|al_furqan|الفرقان|N|21.978,39.097|
2154|al_rawasi|الرواسي|E|21.686,39.280|
2155|quba|قباء|N|21.826,39.127|
2156|al_budur|البدور|N|21.850,39.271|
2157|al_yusr|اليسر|N|21.976,39.066|
2158|al_abir|العبير|N|21.950,39.062|Al Abeer
2159|al_shuwaydi|الشويضي|N|21.919,39.082|Al Shuwaidi;Al Shuwaidhi
2160|al_gharbiyah|الغربية|N|21.912,39.110|Al Gharbia
2161|al_jazirah|الجزيرة|N||Al Jazeera;Al Jazeera Scheme
2162|al_rabiyah|الرابية|N||
`;
